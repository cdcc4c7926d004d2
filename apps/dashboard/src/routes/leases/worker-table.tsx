import type { WorkerSummary } from '@holdfast/contract';
import { classNames } from '../../components/class-names.js';
import { EndText } from '../../components/end-text.js';
import table from '../../components/table.module.css';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { formatCount } from '../../format/number.js';
import { formatAge } from '../../format/time.js';
import { useServerNow } from '../../live/server-now.js';
import styles from './leases.module.css';
import { leasesText } from './leases-text.js';
import { QUIET_MS, SILENT_MS } from './worker-silence.js';

const columns = leasesText.workerColumns;

/** Who works, on what, and since when nothing was heard of them. */
export function WorkerTable({ workers }: { readonly workers: readonly WorkerSummary[] }) {
  return (
    <table className={classNames(table.table, styles.leases)} aria-label={leasesText.workers}>
      <thead>
        <tr>
          <th scope="col">{columns.worker}</th>
          <th scope="col" className={styles.queues}>
            {columns.queues}
          </th>
          <th scope="col" className={styles.busy}>
            {columns.busy}
          </th>
          <th scope="col" className={classNames(styles.seen, table.number)}>
            {columns.seen}
          </th>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <tr key={worker.name}>
            <td className={table.mono} title={visibleText(worker.name)}>
              <EndText text={worker.name} />
            </td>
            <td className={classNames(styles.queues, table.muted)} title={visibleText(claims(worker))}>
              <VisibleText text={claims(worker)} />
            </td>
            <td className={styles.busy}>
              <Slots worker={worker} />
            </td>
            <td className={classNames(styles.seen, table.number)}>
              <Seen worker={worker} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function claims({ queues, names }: WorkerSummary): string {
  return names === undefined ? queues.join(', ') : `${queues.join(', ')}: ${names.join(', ')}`;
}

/** Slots as a bar: those at work filled. */
function Slots({ worker: { busy, free } }: { readonly worker: WorkerSummary }) {
  const share = busy + free === 0 ? 0 : busy / (busy + free);
  return (
    <span className={styles.slots}>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.filled} style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </span>
      {leasesText.slots(formatCount(busy), formatCount(busy + free))}
    </span>
  );
}

function Seen({ worker }: { readonly worker: WorkerSummary }) {
  const ageMs = useServerNow() - worker.lastSeenAtMs;
  if (worker.waiting) return <span className={styles.waiting}>{leasesText.waiting}</span>;
  const tone = ageMs > SILENT_MS ? styles.silent : ageMs > QUIET_MS && styles.quiet;
  const word = ageMs > SILENT_MS ? leasesText.silent : ageMs > QUIET_MS ? leasesText.quiet : undefined;
  return (
    <span className={classNames(tone)}>
      {formatAge(ageMs)} {leasesText.ago}
      {word !== undefined && ` · ${word}`}
    </span>
  );
}
