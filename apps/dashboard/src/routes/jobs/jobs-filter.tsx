import { type Ref, useEffect, useState } from 'react';
import { SelectField, TextField } from '../../components/field.js';
import { visibleText } from '../../format/hostile-text.js';
import { jobsText } from './jobs-text.js';

const TYPING_MS = 350;

interface QueueFilterProps {
  readonly queues: readonly string[];
  readonly queue: string | undefined;
  readonly onQueue: (queue: string | undefined) => void;
}

/** A queue from the address is offered even if no such queue is known (any more). */
export function QueueFilter({ queues, queue, onQueue }: QueueFilterProps) {
  const names = queue === undefined || queues.includes(queue) ? queues : [queue, ...queues];
  return (
    <SelectField
      label={jobsText.queue}
      value={queue ?? ''}
      onChange={(event) => onQueue(event.target.value || undefined)}
    >
      <option value="">{jobsText.allQueues}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {visibleText(name)}
        </option>
      ))}
    </SelectField>
  );
}

interface NameFilterProps {
  readonly name: string | undefined;
  readonly onName: (name: string | undefined) => void;
  readonly ref: Ref<HTMLInputElement>;
}

/** Applies when typing rests, or at once with Enter. */
export function NameFilter({ name = '', onName, ref }: NameFilterProps) {
  const [typed, setTyped] = useState(name);
  useEffect(() => setTyped(name), [name]);
  useEffect(() => {
    if (typed === name) return undefined;
    const timer = setTimeout(() => onName(typed || undefined), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return (
    <TextField
      ref={ref}
      type="search"
      label={jobsText.name}
      placeholder={jobsText.namePlaceholder}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onName(typed || undefined);
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
