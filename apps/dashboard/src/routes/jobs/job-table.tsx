import type { JobRow } from '@holdfast/contract';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from '../../components/class-names.js';
import table from '../../components/table.module.css';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { columnClass, JobCell } from './job-cell.js';
import { useJobColumns } from './job-columns.js';
import styles from './job-table.module.css';
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
  const columns = useJobColumns(props.showState);
  return (
    <table className={classNames(table.table, styles.jobs, dimmed && styles.dimmed)} aria-label={label}>
      <thead>
        <tr>
          {selection !== undefined && <th className={styles.check}>{selection.head}</th>}
          {columns.map((column) => (
            <th key={column} scope="col" className={columnClass(column)}>
              {jobsText.columns[column]}
            </th>
          ))}
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
            {columns.map((column) =>
              column === 'job' ? (
                <td key={column} className={styles.job} title={visibleText(`${row.name} ${row.id}`)}>
                  <JobLink row={row} href={props.hrefOf(row.id)} open={row.id === openId} onOpen={onOpen} />
                </td>
              ) : (
                <JobCell key={column} column={column} row={row} gone={props.gone.has(row.id)} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Links and boxes in the row do their own thing, and so does a click that ends a text selection. */
function opensRow(event: MouseEvent<HTMLElement>): boolean {
  const onControl = event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
  return !onControl && window.getSelection()?.isCollapsed !== false;
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
