import {
  CursorInvalidError,
  type DeadGroup,
  type DeadGroupFilter,
  type DeadGroupPage,
  type PageRequest,
} from '@holdfast/contract';
import { type ErrorKind, errorKind, holdsText, STORE_LIMITS } from '@holdfast/contract/rules';
import { jobMatches, lastErrorOf } from './job-matches.js';
import type { MemoryJob } from './memory-job.js';

const CURSOR = /^(\d{1,10})\.([0-9a-z-]{1,40})$/;

/** What dead jobs died of, those of most jobs first. @throws CursorInvalidError */
export function deadGroupList(
  jobs: readonly MemoryJob[],
  { text, errorClass, firstDeadFromMs = 0, ...where }: DeadGroupFilter,
  { limit, cursor }: PageRequest,
): DeadGroupPage {
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const groups = new Map<string, { readonly kind: ErrorKind; readonly jobs: MemoryJob[] }>();
  for (const job of jobs) {
    const error = jobMatches(job, { state: 'dead', ...where }) ? lastErrorOf(job) : undefined;
    if (error === undefined) continue;
    const kind = errorKind(error);
    if (errorClass !== undefined && kind.errorClass !== errorClass) continue;
    if (text !== undefined && !holdsText(`${kind.errorClass}: ${kind.message} ${kind.frame ?? ''}`, text)) continue;
    const group = groups.get(kind.fingerprint) ?? { kind, jobs: [] };
    group.jobs.push(job);
    groups.set(kind.fingerprint, group);
  }
  const shown = [...groups.values()]
    .map((group) => toGroup(group.kind, group.jobs))
    .filter(({ firstDeadAtMs }) => firstDeadAtMs >= firstDeadFromMs)
    .sort(inOrder);
  const rest = after === undefined ? shown : shown.filter((group) => inOrder(group, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    groups: page,
    ...(last === undefined || rest.length === page.length ? {} : { next: `${last.count}.${last.fingerprint}` }),
    total: { value: shown.length, relation: 'exact' },
  };
}

function toGroup(kind: ErrorKind, jobs: readonly MemoryJob[]): DeadGroup {
  const latest = jobs.toSorted((one, other) => (other.endedNumber ?? 0) - (one.endedNumber ?? 0));
  return {
    ...kind,
    count: jobs.length,
    queues: tally(jobs, ({ shape }) => shape.queue).map(([queue, count]) => ({ queue, count })),
    names: tally(jobs, ({ shape }) => shape.name).map(([name, count]) => ({ name, count })),
    firstDeadAtMs: Math.min(...jobs.map(({ updatedAtMs }) => updatedAtMs)),
    lastDeadAtMs: Math.max(...jobs.map(({ updatedAtMs }) => updatedAtMs)),
    samples: latest.slice(0, STORE_LIMITS.deadGroupSamples).map(({ id }) => id),
  };
}

/** Where a group stands among others. */
type Place = Pick<DeadGroup, 'count' | 'fingerprint'>;

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

function tally(jobs: readonly MemoryJob[], by: (job: MemoryJob) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const job of jobs) counts.set(by(job), (counts.get(by(job)) ?? 0) + 1);
  return [...counts].sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1));
}
