import type { JobRow } from '@holdfast/contract';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from '../../components/class-names.js';
import { StateBadge, shownState } from '../../components/state-badge.js';
import table from '../../components/table.module.css';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import styles from './job-table.module.css';
import { JobWhen } from './job-when.js';
import { jobsText } from './jobs-text.js';

interface JobTableProps {
  readonly rows: readonly JobRow[];
  /** Ids of rows that the list does not have any more but that hold their place. */
  readonly gone: ReadonlySet<string>;
  readonly showState: boolean;
  readonly label: string;
  readonly openId: string | undefined;
  readonly hrefOf: (id: string) => string;
  readonly onOpen: (id: string) => void;
  readonly dimmed: boolean;
  /** The first column, for lists that can be selected from. */
  readonly selection?: {
    readonly head: ReactNode;
    readonly cell: (row: JobRow) => ReactNode;
    has(id: string): boolean;
  };
}

/** Jobs, one a row. A click anywhere opens the job; by keyboard the id's link does. */
export function JobTable(props: JobTableProps) {
  const { rows, label, openId, onOpen, dimmed, selection } = props;
  return (
    <table className={classNames(table.table, styles.jobs, dimmed && styles.dimmed)} aria-label={label}>
      <thead>
        <tr>
          {selection !== undefined && <th className={styles.check}>{selection.head}</th>}
          <Head column="state" hidden={!props.showState} />
          <Head column="job" />
          <Head column="queue" />
          <Head column="attempt" number />
          <Head column="when" number />
          <Head column="error" />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.id}
            data-row={row.id}
            className={classNames(row.id === openId && styles.open, selection?.has(row.id) && styles.selected)}
            onClick={(event) => opensRow(event) && onOpen(row.id)}
          >
            {selection !== undefined && <td className={styles.check}>{selection.cell(row)}</td>}
            <JobCells row={row} table={props} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface HeadProps {
  readonly column: keyof typeof jobsText.columns;
  readonly number?: boolean;
  readonly hidden?: boolean;
}

function Head({ column, number = false, hidden = false }: HeadProps) {
  if (hidden) return null;
  return (
    <th scope="col" className={classNames(styles[column], number && table.number)}>
      {jobsText.columns[column]}
    </th>
  );
}

/** Links and boxes in the row do their own thing, and so does a click that ends a text selection. */
function opensRow(event: MouseEvent<HTMLElement>): boolean {
  const onControl = event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
  return !onControl && window.getSelection()?.isCollapsed !== false;
}

function JobCells({ row, table: props }: { readonly row: JobRow; readonly table: JobTableProps }) {
  return (
    <>
      {props.showState && (
        <td className={styles.state}>
          <StateBadge state={shownState(row)} />
        </td>
      )}
      <td className={styles.job} title={visibleText(`${row.name} ${row.id}`)}>
        <JobLink row={row} href={props.hrefOf(row.id)} open={row.id === props.openId} onOpen={props.onOpen} />
      </td>
      <td className={classNames(styles.queue, table.muted)}>
        <VisibleText text={row.queue} />
      </td>
      <td className={classNames(styles.attempt, table.number)}>{jobsText.attempts(row.attempts, row.maxAttempts)}</td>
      <td className={classNames(styles.when, table.number)}>
        {props.gone.has(row.id) ? <span className={table.muted}>{jobsText.gone}</span> : <JobWhen row={row} />}
      </td>
      <td className={styles.error}>{row.lastError !== undefined && <ErrorLine error={row.lastError} />}</td>
    </>
  );
}

interface JobLinkProps {
  readonly row: JobRow;
  readonly href: string;
  readonly open: boolean;
  readonly onOpen: (id: string) => void;
}

function JobLink({ row, href, open, onOpen }: JobLinkProps) {
  const openHere = (event: MouseEvent) => {
    event.preventDefault();
    onOpen(row.id);
  };
  return (
    <Link
      href={href}
      data-row-target=""
      aria-current={open ? 'true' : undefined}
      className={styles.link}
      onClick={openHere}
    >
      <span className={styles.name}>
        <VisibleText text={row.name} />
      </span>
      <span className={styles.id}>
        <VisibleText text={row.id} />
      </span>
    </Link>
  );
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
