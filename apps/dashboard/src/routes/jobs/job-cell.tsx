import type { JobRow } from '@holdfast/contract';
import type { ReactNode } from 'react';
import { classNames } from '../../components/class-names.js';
import { EndText } from '../../components/end-text.js';
import { StateBadge, shownState } from '../../components/state-badge.js';
import table from '../../components/table.module.css';
import { Age } from '../../components/time-text.js';
import { TwoLineText } from '../../components/two-line-text.js';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { formatBytes, formatCount } from '../../format/number.js';
import type { ChosenColumn, JobColumn } from './job-columns.js';
import styles from './job-table.module.css';
import { JobWhen } from './job-when.js';
import { jobsText } from './jobs-text.js';

/** Columns of numbers and times, which stand at the right. */
const NUMBERS: readonly JobColumn[] = ['attempt', 'priority', 'enqueued', 'when', 'size'];

export function columnClass(column: JobColumn): string {
  return classNames(styles[column], NUMBERS.includes(column) && table.number);
}

interface JobCellProps {
  readonly column: ChosenColumn;
  readonly row: JobRow;
  /** The list does not have it any more. */
  readonly gone: boolean;
}

export function JobCell({ column, row, gone }: JobCellProps) {
  const quiet = column === 'queue' || column === 'worker';
  return (
    <td className={classNames(columnClass(column), quiet && table.muted)}>
      {column === 'when' && gone ? <span className={table.muted}>{jobsText.gone}</span> : contentOf(column, row)}
    </td>
  );
}

function contentOf(column: ChosenColumn, row: JobRow): ReactNode {
  switch (column) {
    case 'state':
      return <StateBadge state={shownState(row)} />;
    case 'queue':
      return <TwoLineText text={row.queue} />;
    case 'attempt':
      return jobsText.attempts(row.attempts, row.maxAttempts);
    case 'priority':
      return formatCount(row.priority);
    case 'enqueued':
      return (
        <>
          <Age atMs={row.enqueuedAtMs} /> {jobsText.when.ago}
        </>
      );
    case 'when':
      return <JobWhen row={row} />;
    case 'size':
      return formatBytes(row.payloadBytes);
    case 'worker':
      return row.lease === undefined ? '–' : <EndText text={row.lease.worker} />;
    default:
      return row.lastError === undefined ? null : <ErrorLine error={row.lastError} />;
  }
}

function ErrorLine({ error }: { readonly error: NonNullable<JobRow['lastError']> }) {
  return (
    <span title={visibleText(`${error.class}: ${error.message}`)}>
      <span className={styles.class}>
        <VisibleText text={error.class} />
      </span>{' '}
      <VisibleText text={error.message} />
    </span>
  );
}
