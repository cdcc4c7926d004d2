import { countdown } from '../format/time.js';
import { useServerNow } from '../live/server-now.js';
import { classNames } from './class-names.js';
import styles from './countdown.module.css';

interface CountdownProps {
  readonly endsAtMs: number;
  readonly lengthMs: number;
  readonly overdue: (text: string) => string;
}

/** What is left of a span, as words and as a bar that empties. Steps with the page's one clock, once a second. */
export function Countdown({ endsAtMs, lengthMs, overdue }: CountdownProps) {
  const remainingMs = endsAtMs - useServerNow();
  const left = countdown(remainingMs);
  const share = lengthMs > 0 ? Math.min(1, Math.max(0, remainingMs / lengthMs)) : 0;
  const tone = left.overdue ? styles.overdue : share < 0.2 && styles.ending;
  return (
    <span className={classNames(styles.countdown, tone)}>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.rest} style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </span>
      <span className={styles.text}>{left.overdue ? overdue(left.text) : left.text}</span>
    </span>
  );
}
