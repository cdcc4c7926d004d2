import type { StoreMetrics } from '@holdfast/contract';
import { classNames } from '../../components/class-names.js';
import { EndText } from '../../components/end-text.js';
import table from '../../components/table.module.css';
import { TwoLineText } from '../../components/two-line-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { formatCount } from '../../format/number.js';
import styles from './leases.module.css';
import { leasesText } from './leases-text.js';

const SHOWN_MAX = 8;
const columns = leasesText.byColumns;

/** Which workers lose their leases, and of which queues: those with the most on top. */
export function ExpiriesBy({ expiries }: { readonly expiries: NonNullable<StoreMetrics['leaseExpiriesBy']> }) {
  const most = expiries.toSorted((a, b) => b.count - a.count).slice(0, SHOWN_MAX);
  return (
    <div className={table.frame}>
      <table className={table.table} aria-label={leasesText.by}>
        <thead>
          <tr>
            <th scope="col">{columns.worker}</th>
            <th scope="col">{columns.queue}</th>
            <th scope="col" className={classNames(styles.small, table.number)}>
              {columns.count}
            </th>
          </tr>
        </thead>
        <tbody>
          {most.map(({ worker, queue, count }) => (
            <tr key={JSON.stringify([worker, queue])}>
              <td className={table.mono} title={visibleText(worker)}>
                <EndText text={worker} />
              </td>
              <td className={table.muted}>
                <TwoLineText text={queue} />
              </td>
              <td className={table.number}>{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
