import styles from './progress-bar.module.css';

interface ProgressBarProps {
  readonly value: number;
  readonly max: number;
  /** The same in words. */
  readonly label: string;
}

export function ProgressBar({ value, max, label }: ProgressBarProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      className={styles.track}
    >
      <span className={styles.done} style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </span>
  );
}
