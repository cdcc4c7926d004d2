import type { LeaseExpiry } from '@holdfast/contract';
import { classNames } from '../../components/class-names.js';
import { EndText } from '../../components/end-text.js';
import { StateBadge } from '../../components/state-badge.js';
import table from '../../components/table.module.css';
import { Age } from '../../components/time-text.js';
import { TwoLineText } from '../../components/two-line-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { formatDuration } from '../../format/time.js';
import { JobCell } from './job-cell.js';
import styles from './leases.module.css';
import { leasesText } from './leases-text.js';

const columns = leasesText.expiryColumns;

/** The latest first, as the store keeps them. */
export function ExpiryTable({ expiries }: { readonly expiries: readonly LeaseExpiry[] }) {
  return (
    <table className={classNames(table.table, styles.leases)} aria-label={leasesText.expiries}>
      <thead>
        <tr>
          <th scope="col" className={styles.when}>
            {columns.when}
          </th>
          <th scope="col">{columns.job}</th>
          <th scope="col" className={styles.queue}>
            {columns.queue}
          </th>
          <th scope="col" className={styles.worker}>
            {columns.worker}
          </th>
          <th scope="col" className={classNames(styles.small, styles.held, table.number)}>
            {columns.attempt}
          </th>
          <th scope="col" className={classNames(styles.late, styles.held, table.number)}>
            {columns.late}
          </th>
          <th scope="col" className={styles.then}>
            {columns.next}
          </th>
        </tr>
      </thead>
      <tbody>
        {expiries.map((expiry) => (
          <ExpiryLine key={`${expiry.id} ${expiry.attempt} ${expiry.atMs}`} expiry={expiry} />
        ))}
      </tbody>
    </table>
  );
}

function ExpiryLine({ expiry }: { readonly expiry: LeaseExpiry }) {
  return (
    <tr data-row={expiry.id}>
      <td className={styles.when}>
        <Age atMs={expiry.atMs} /> {leasesText.ago}
      </td>
      <td>
        <JobCell id={expiry.id} name={expiry.name} />
      </td>
      <td className={classNames(styles.queue, table.muted)}>
        <TwoLineText text={expiry.queue} />
      </td>
      <td className={classNames(styles.worker, table.mono)} title={visibleText(expiry.worker)}>
        <EndText text={expiry.worker} />
      </td>
      <td className={classNames(styles.held, table.number)}>{expiry.attempt}</td>
      <td className={classNames(styles.held, table.number)}>{leasesText.late(formatDuration(expiry.lateMs))}</td>
      <td className={styles.then}>
        <StateBadge state={leasesText.next[expiry.then]} />
      </td>
    </tr>
  );
}
