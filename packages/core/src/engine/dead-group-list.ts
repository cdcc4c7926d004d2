import {
  CursorInvalidError,
  type DeadGroup,
  type DeadGroupFilter,
  type DeadGroupPage,
  type JobId,
  type PageRequest,
} from '@holdfast/contract';
import { holdsText, isInternalQueue, STORE_LIMITS } from '@holdfast/contract/rules';
import { formatId } from '../identity.js';
import type { DeadCell, DeadErrors } from '../state/dead-groups.js';
import { NONE } from '../state/job-columns.js';
import { STATE } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';

const CURSOR = /^(\d{1,10})\.([0-9a-z-]{1,40})$/;

/** Where a page ends: after this group. */
interface Place {
  readonly count: number;
  readonly fingerprint: string;
}

/** One page of what dead jobs died of, those of most jobs first. @throws CursorInvalidError */
export function deadGroupList(
  table: JobTable,
  storeTag: string,
  filter: DeadGroupFilter,
  { limit, cursor }: PageRequest,
): DeadGroupPage {
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const found: { readonly place: Place; readonly cells: readonly DeadCell[]; readonly errors: DeadErrors }[] = [];
  for (const errors of table.deaths.groups) {
    const cells = newCells(matchingCells(errors, filter), filter);
    const count = cells.reduce((sum, cell) => sum + cell.count, 0);
    if (count > 0) found.push({ place: { count, fingerprint: errors.kind.fingerprint }, cells, errors });
  }
  found.sort((one, other) => inOrder(one.place, other.place));
  const rest = after === undefined ? found : found.filter(({ place }) => inOrder(place, after) > 0);
  const groups = rest
    .slice(0, limit)
    .map(({ errors, cells }) => shown(errors, cells, samplesOf(table, storeTag, errors, cells)));
  const last = rest[limit - 1];
  return {
    groups,
    ...(last === undefined || rest.length === limit ? {} : { next: `${last.place.count}.${last.place.fingerprint}` }),
    total: { value: found.length, relation: 'exact' },
  };
}

function placeIn(cursor: string): Place {
  const [, count, fingerprint] = cursor.match(CURSOR) ?? [];
  if (count === undefined || fingerprint === undefined) throw new CursorInvalidError();
  return { count: Number(count), fingerprint };
}

function inOrder(one: Place, other: Place): number {
  if (one.count !== other.count) return other.count - one.count;
  if (one.fingerprint === other.fingerprint) return 0;
  return one.fingerprint < other.fingerprint ? -1 : 1;
}

function matchingCells({ kind, cells }: DeadErrors, { queue, name, errorClass, text }: DeadGroupFilter): DeadCell[] {
  if (errorClass !== undefined && errorClass !== kind.errorClass) return [];
  if (text !== undefined && !holdsText(`${kind.errorClass}: ${kind.message} ${kind.frame ?? ''}`, text)) return [];
  return [...cells.values()].filter(
    (cell) =>
      (queue === undefined ? !isInternalQueue(cell.queue) : cell.queue === queue) &&
      (name === undefined || cell.name === name),
  );
}

/** All of them or none: what is new is the group as it is shown. */
function newCells(cells: readonly DeadCell[], { firstDeadFromMs = 0 }: DeadGroupFilter): readonly DeadCell[] {
  return cells.some(({ firstAtMs }) => firstAtMs < firstDeadFromMs) ? [] : cells;
}

function shown({ kind }: DeadErrors, cells: readonly DeadCell[], samples: readonly JobId[]): DeadGroup {
  return {
    ...kind,
    count: cells.reduce((sum, cell) => sum + cell.count, 0),
    queues: tally(cells, ({ queue }) => queue).map(([queue, count]) => ({ queue, count })),
    names: tally(cells, ({ name }) => name).map(([name, count]) => ({ name, count })),
    firstDeadAtMs: Math.min(...cells.map(({ firstAtMs }) => firstAtMs)),
    lastDeadAtMs: Math.max(...cells.map(({ lastAtMs }) => lastAtMs)),
    samples,
  };
}

/** Jobs by queue or name, the most first; at most as many as a plan names. */
function tally(cells: readonly DeadCell[], by: (cell: DeadCell) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(by(cell), (counts.get(by(cell)) ?? 0) + cell.count);
  return [...counts]
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .slice(0, STORE_LIMITS.planQueuesMax);
}

function samplesOf(table: JobTable, tag: string, errors: DeadErrors, cells: readonly DeadCell[]): JobId[] {
  const { columns } = table;
  const isOneOf = (id: number) => {
    const slot = table.ids.find(id);
    if (slot === NONE || columns.state[slot] !== STATE.dead) return false;
    const cell = table.deaths.cell(table.shapeOf(slot).lane.queue.dead.tokenAt(columns.position[slot]!));
    return cell !== undefined && cells.includes(cell);
  };
  return errors.latest.filter(isOneOf).map((id) => formatId(tag, id));
}
