import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { overviewQuery } from '../../api/overview.js';
import { visibleText } from '../../format/hostile-text.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import styles from './act-form.module.css';
import { actText } from './act-text.js';

interface QueueFieldProps {
  readonly queue: string;
  readonly onQueue: (queue: string) => void;
}

/** Offers the queues that there are, and takes any other: a queue begins with its first job. */
export function QueueField({ queue, onQueue }: QueueFieldProps) {
  const queues = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS))).data?.queues ?? [];
  const listId = useId();
  const isNew = queue !== '' && !queues.some(({ name }) => name === queue);
  return (
    <>
      <label className={styles.field}>
        <span>{actText.toQueue}</span>
        <input
          // biome-ignore lint/a11y/noAutofocus: stands only in dialogs, which cannot be confirmed without it.
          autoFocus
          list={listId}
          autoComplete="off"
          spellCheck={false}
          value={queue}
          onChange={(event) => onQueue(event.target.value)}
        />
      </label>
      <datalist id={listId}>
        {queues.map(({ name }) => (
          <option key={name} value={name}>
            {visibleText(name)}
          </option>
        ))}
      </datalist>
      <p role="status" className={styles.hint}>
        {isNew && actText.newQueue}
      </p>
    </>
  );
}
