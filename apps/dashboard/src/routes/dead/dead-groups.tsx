import type { DeadGroup, DeadGroupsAnswer } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { deadGroupsQuery } from '../../api/dead-groups.js';
import { PAGE_ROWS } from '../../api/jobs.js';
import { EmptyState } from '../../components/empty-state.js';
import { TextField } from '../../components/field.js';
import { NewerNote } from '../../components/newer-note.js';
import { Skeleton } from '../../components/skeleton.js';
import table from '../../components/table.module.css';
import { Answered } from '../../frame/answered.js';
import { rowFocus } from '../../keyboard/row-focus.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { useSteadyRows } from '../../live/steady-rows.js';
import { type CursorPages, pagesBeside, useCursorPages } from '../cursor-pages.js';
import { useOpenJob } from '../job/open-job.js';
import { Pager, pagerText } from '../pager.js';
import { paramOf, withParams } from '../search-params.js';
import { DeadGroupRow, useRedriveGroup } from './dead-group-row.js';
import styles from './dead-groups.module.css';
import { deadText } from './dead-text.js';
import { NoneDead } from './none-dead.js';

const TYPING_MS = 350;
const { columns } = deadText;

/** Dead jobs by the error that they have in common: most outages are one error, not a thousand jobs. */
export function DeadGroups({ queue }: { readonly queue: string | undefined }) {
  const text = paramOf(useSearch(), 'q');
  const here = useCursorPages();
  const filter = { ...(queue === undefined ? {} : { queue }), ...(text === undefined ? {} : { text }) };
  const groups = useQuery(deadGroupsQuery(filter, here.cursor, useRefresh(CALM_REFRESH_MS)));
  const pages = pagesBeside(here, groups.isPlaceholderData);
  return (
    <>
      <GroupSearch text={text} />
      <Answered
        key={JSON.stringify(filter)}
        query={groups}
        loading={<Skeleton rows={8} label={deadText.groupsLoading} />}
      >
        {(answer) => (
          <>
            <GroupTable answer={answer} pages={pages} queue={queue} searched={text !== undefined} />
            {(answer.next !== undefined || pages.cursor !== undefined) && (
              <Pager
                pages={pages}
                rows={answer.groups.length}
                pageRows={PAGE_ROWS}
                next={answer.next}
                total={answer.total}
              />
            )}
          </>
        )}
      </Answered>
    </>
  );
}

function GroupSearch({ text = '' }: { readonly text: string | undefined }) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const [typed, setTyped] = useState(text);
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => field.current?.focus() });
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return undefined;
    const find = () => navigate(`${path}${withParams(search, { q: typed || undefined, cursor: undefined })}`);
    const timer = setTimeout(find, TYPING_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div className={styles.search}>
      <TextField
        ref={field}
        type="search"
        label={deadText.searchLabel}
        placeholder={deadText.searchPlaceholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </div>
  );
}

interface GroupTableProps {
  readonly answer: DeadGroupsAnswer;
  readonly pages: CursorPages;
  readonly queue: string | undefined;
  readonly searched: boolean;
}

function GroupTable({ answer, pages, queue, searched }: GroupTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState(false);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const fresh = answer.groups.map((group) => ({ id: group.fingerprint, group }));
  const family = JSON.stringify([queue, searched, pages.cursor, pages.isWaiting]);
  const { rows, newer, gone, release } = useSteadyRows(family, fresh, pointed || open.size > 0);
  useGroupKeys(
    frame,
    rows.map((row) => row.group),
    queue,
  );
  if (rows.length === 0) {
    return (
      <div className={table.frame}>
        {pages.cursor !== undefined ? (
          <EmptyState title={pagerText.emptyPage} />
        ) : searched ? (
          <EmptyState title={deadText.noneFound} />
        ) : (
          <NoneDead queue={queue} />
        )}
      </div>
    );
  }
  const toggle = (fingerprint: string) => {
    const next = new Set(open);
    if (!next.delete(fingerprint)) next.add(fingerprint);
    setOpen(next);
  };
  return (
    <>
      {newer > 0 && <NewerNote label={deadText.newer(newer)} onShow={release} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only notes whether somebody points at the rows. */}
      <div
        ref={frame}
        className={table.frame}
        onMouseEnter={() => setPointed(true)}
        onMouseLeave={() => setPointed(false)}
      >
        <table className={`${table.table} ${styles.groups}`} aria-label={deadText.groups}>
          <GroupHead />
          <tbody>
            {rows.map(({ id, group }) => (
              <DeadGroupRow
                key={id}
                group={group}
                queue={queue}
                gone={gone.has(id)}
                open={open.has(id)}
                onToggle={() => toggle(id)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function GroupHead() {
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.count}>
          {columns.count}
        </th>
        <th scope="col">{columns.error}</th>
        <th scope="col" className={styles.queues}>
          {columns.queues}
        </th>
        <th scope="col" className={styles.last}>
          {columns.last}
        </th>
        <th scope="col" className={styles.acts}>
          <span className={styles.hidden}>{columns.acts}</span>
        </th>
      </tr>
    </thead>
  );
}

/** `j` `k` from error to error, `r` redrives all of the one with focus: five key presses from any page, with the confirmation. */
function useGroupKeys(
  frame: RefObject<HTMLDivElement | null>,
  groups: readonly DeadGroup[],
  queue: string | undefined,
): void {
  const rows = rowFocus(frame);
  const { openId } = useOpenJob();
  const redriveGroup = useRedriveGroup(queue);
  const redriveCurrent = () => {
    const group = groups.find((known) => known.fingerprint === rows.current());
    if (group !== undefined) redriveGroup(group);
  };
  useShortcuts({
    j: () => rows.move(1),
    k: () => rows.move(-1),
    ...(openId === undefined ? { r: redriveCurrent } : {}),
  });
}
