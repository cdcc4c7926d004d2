import type { LeaseRow } from '@holdfast/contract';
import { classNames } from '../../components/class-names.js';
import { EndText } from '../../components/end-text.js';
import table from '../../components/table.module.css';
import { Age } from '../../components/time-text.js';
import { TwoLineText } from '../../components/two-line-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { useFreshness } from '../../live/freshness.js';
import { jobsText } from '../jobs/jobs-text.js';
import { JobCell } from './job-cell.js';
import { LeaseEnd } from './lease-end.js';
import styles from './leases.module.css';
import { leasesText } from './leases-text.js';

const columns = leasesText.columns;

interface LeaseTableProps {
  readonly leases: readonly LeaseRow[];
  /** Server time of the answer: `remainingMs` counts from it. */
  readonly nowMs: number;
}

/** Those that end first on top, so an overdue one leads. */
export function LeaseTable({ leases, nowMs }: LeaseTableProps) {
  const dimmed = useFreshness().kind === 'stale';
  const ordered = leases.toSorted((a, b) => a.remainingMs - b.remainingMs);
  return (
    <table className={classNames(table.table, styles.leases, dimmed && styles.dimmed)} aria-label={leasesText.title}>
      <thead>
        <tr>
          <th scope="col" className={styles.ends}>
            {columns.ends}
          </th>
          <th scope="col">{columns.job}</th>
          <th scope="col" className={styles.queue}>
            {columns.queue}
          </th>
          <th scope="col" className={styles.worker}>
            {columns.worker}
          </th>
          <th scope="col" className={classNames(styles.small, table.number)}>
            {columns.attempt}
          </th>
          <th scope="col" className={classNames(styles.small, styles.held, table.number)}>
            {columns.held}
          </th>
          <th scope="col" className={classNames(styles.extended, styles.held, table.number)}>
            {columns.extensions}
          </th>
        </tr>
      </thead>
      <tbody>
        {ordered.map((lease) => (
          <LeaseLine key={lease.token} lease={lease} endsAtMs={nowMs + lease.remainingMs} />
        ))}
      </tbody>
    </table>
  );
}

function LeaseLine({ lease, endsAtMs }: { readonly lease: LeaseRow; readonly endsAtMs: number }) {
  return (
    <tr data-row={lease.id}>
      <td className={styles.ends}>
        <LeaseEnd endsAtMs={endsAtMs} lengthMs={lease.leaseMs} overdue={leasesText.overdue} />
      </td>
      <td>
        <JobCell id={lease.id} name={lease.name} />
      </td>
      <td className={classNames(styles.queue, table.muted)}>
        <TwoLineText text={lease.queue} />
      </td>
      <td className={classNames(styles.worker, table.mono)} title={visibleText(lease.worker)}>
        <EndText text={lease.worker} />
      </td>
      <td className={table.number}>{jobsText.attempts(lease.attempt, lease.maxAttempts)}</td>
      <td className={classNames(styles.held, table.number)}>
        <Age atMs={lease.leasedAtMs} />
      </td>
      <td className={classNames(styles.held, table.number)}>{leasesText.extended(lease.extensions)}</td>
    </tr>
  );
}
