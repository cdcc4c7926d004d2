import type { JobsAnswer } from '@holdfast/contract';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { PAGE_ROWS } from '../../api/jobs.js';
import { EmptyState } from '../../components/empty-state.js';
import { NewerNote } from '../../components/newer-note.js';
import table from '../../components/table.module.css';
import { useKeptFocus } from '../../keyboard/kept-focus.js';
import { rowFocus } from '../../keyboard/row-focus.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { useFreshness } from '../../live/freshness.js';
import { useSteadyRows } from '../../live/steady-rows.js';
import type { CursorPages } from '../cursor-pages.js';
import { useOpenJob } from '../job/open-job.js';
import { Pager, pagerText } from '../pager.js';
import { JobTable } from './job-table.js';
import { jobsText } from './jobs-text.js';
import type { JobSelection } from './selection.js';
import { SelectionBox, SelectPageBox } from './selection-box.js';

interface JobListProps {
  readonly answer: JobsAnswer;
  /** Names the rows: they keep their places only among those of one name. Rows that stand in for those of another page are not of that page. */
  readonly family: string;
  readonly label: string;
  readonly pages: CursorPages;
  readonly empty: ReactNode;
  readonly selection?: JobSelection;
  /** Lists of one state do not repeat it in every row. */
  readonly showState?: boolean;
}

/** The table with what makes it live: rows that hold still under the pointer, keys, pages. */
export function JobList({ answer, family, label, pages, empty, selection, showState = true }: JobListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState(false);
  const { openId, open, hrefOf } = useOpenJob();
  const held = pointed || (selection?.size ?? 0) > 0 || selection?.all === true;
  const steady = useSteadyRows(family, answer.rows, held);
  const dimmed = useFreshness().kind === 'stale';
  useRowShortcuts(frame, openId, open, selection);
  const ids = steady.rows.map((row) => row.id);
  const keptFocus = useKeptFocus(frame, ids);
  if (ids.length === 0) return <NoRows answer={answer} pages={pages} empty={empty} />;
  return (
    <>
      {steady.newer > 0 && <NewerNote label={jobsText.newer(steady.newer)} onShow={steady.release} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only notes whether somebody points at the rows. */}
      <div
        ref={frame}
        className={table.frame}
        {...keptFocus}
        onMouseEnter={() => setPointed(true)}
        onMouseLeave={() => setPointed(false)}
      >
        <JobTable
          rows={steady.rows}
          gone={steady.gone}
          showState={showState}
          label={label}
          openId={openId}
          hrefOf={hrefOf}
          onOpen={open}
          dimmed={dimmed}
          {...(selection === undefined
            ? {}
            : {
                selection: {
                  head: <SelectPageBox ids={ids} selection={selection} />,
                  cell: (row) => <SelectionBox id={row.id} ids={ids} selection={selection} />,
                  has: selection.has,
                },
              })}
        />
      </div>
      <ListPager answer={answer} pages={pages} />
    </>
  );
}

type Paged = Pick<JobListProps, 'answer' | 'pages'>;

function NoRows({ answer, pages, empty }: Paged & Pick<JobListProps, 'empty'>) {
  const isLater = pages.cursor !== undefined;
  // A search that has not looked at all of them says itself that it can go on.
  const isEnd = isLater && answer.next === undefined;
  return (
    <>
      <div className={table.frame}>{isEnd ? <EmptyState title={pagerText.emptyPage} /> : empty}</div>
      {isLater && <ListPager answer={answer} pages={pages} />}
    </>
  );
}

function ListPager({ answer, pages }: Paged) {
  const { rows, next, total, scan } = answer;
  return <Pager pages={pages} rows={rows.length} pageRows={PAGE_ROWS} next={next} total={total} scan={scan} />;
}

/** `j` and `k` walk the rows; while a job is open they walk from job to job. */
function useRowShortcuts(
  frame: RefObject<HTMLDivElement | null>,
  openId: string | undefined,
  open: (id: string) => void,
  selection: JobSelection | undefined,
): void {
  const rows = rowFocus(frame);
  const move = (step: number) => {
    const id = rows.move(step, openId);
    if (openId !== undefined && id !== undefined) open(id);
  };
  const toggle = () => {
    const id = rows.current() ?? openId;
    if (id !== undefined) selection?.toggle(id);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), ...(selection === undefined ? {} : { x: toggle }) });
}
