import { useReadOnly } from '../../api/meta.js';
import { Countdown } from '../../components/countdown.js';
import table from '../../components/table.module.css';
import { leasesText } from './leases-text.js';

interface LeaseEndProps {
  readonly endsAtMs: number;
  readonly lengthMs: number;
  readonly overdue: (text: string) => string;
}

/** What is left of a lease. A log does not say: its owner extends leases in memory alone. */
export function LeaseEnd(props: LeaseEndProps) {
  return useReadOnly() === undefined ? (
    <Countdown {...props} />
  ) : (
    <span className={table.muted}>{leasesText.endUnknown}</span>
  );
}
