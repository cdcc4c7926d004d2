import styles from './act-form.module.css';
import { actText } from './act-text.js';

const PRIORITY_MAX = 4_294_967_295;

interface PriorityFieldProps {
  readonly priority: string;
  readonly onPriority: (priority: string) => void;
}

export function PriorityField({ priority, onPriority }: PriorityFieldProps) {
  return (
    <label className={styles.field}>
      <span>{actText.priority}</span>
      <input
        // biome-ignore lint/a11y/noAutofocus: stands only in dialogs, which are there to change it.
        autoFocus
        inputMode="numeric"
        autoComplete="off"
        value={priority}
        onFocus={(event) => event.target.select()}
        onChange={(event) => onPriority(event.target.value)}
      />
    </label>
  );
}

export function isPriority(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= PRIORITY_MAX;
}
