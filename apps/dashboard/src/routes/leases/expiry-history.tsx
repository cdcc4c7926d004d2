import type { LeaseExpiry } from '@holdfast/contract';
import { formatMinute } from '../../format/time.js';
import { useServerNow } from '../../live/server-now.js';
import { type ExpiryBar, expiryBars } from './expiry-bars.js';
import styles from './expiry-history.module.css';
import { leasesText } from './leases-text.js';

/** When leases expired, as bars over the last hour. The list below has the same facts one by one. */
export function ExpiryHistory({ expiries }: { readonly expiries: readonly LeaseExpiry[] }) {
  const bars = expiryBars(expiries, useServerNow());
  const most = Math.max(0, ...bars.map((bar) => bar.count));
  const total = bars.reduce((sum, bar) => sum + bar.count, 0);
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>{leasesText.overTime}</figcaption>
      <div className={styles.bars} role="img" aria-label={leasesText.overTimeSummary(total, most)}>
        {bars.map((bar) => (
          <Bar key={bar.fromMs} bar={bar} most={most} />
        ))}
      </div>
      <div className={styles.axis} aria-hidden="true">
        <span>{formatMinute(bars[0]?.fromMs ?? 0)}</span>
        <span>{formatMinute(bars[15]?.fromMs ?? 0)}</span>
        <span>{formatMinute(bars.at(-1)?.fromMs ?? 0)}</span>
      </div>
    </figure>
  );
}

function Bar({ bar, most }: { readonly bar: ExpiryBar; readonly most: number }) {
  const share = most === 0 ? 0 : bar.count / most;
  return (
    <span className={styles.slot} title={leasesText.bar(bar.count, bar.fromMs)}>
      <span className={styles.bar} style={{ height: `${share * 100}%` }} />
    </span>
  );
}
