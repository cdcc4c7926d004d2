import {
  CursorInvalidError,
  type DeadGroup,
  type DeadGroupFilter,
  type DeadGroupPage,
  type PageRequest,
} from '@holdfast/contract';
import { holdsText, STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import type { JobNames } from './job-names.js';
import type { QueueNames } from './queue-names.js';
import type { DeathRow, SqlDatabase } from './statements.js';

const CURSOR = /^(\d{1,15})\.([0-9a-z-]{1,40})$/;

interface Place {
  readonly count: number;
  readonly fingerprint: string;
}

interface Kind extends Place {
  readonly rows: readonly DeathRow[];
}

export interface DeadGroupParts {
  readonly database: SqlDatabase;
  readonly queues: QueueNames;
  readonly names: JobNames;
}

/** What dead jobs died of, those of most jobs first. @throws CursorInvalidError */
export async function deadGroupList(
  parts: DeadGroupParts,
  filter: DeadGroupFilter,
  { limit, cursor }: PageRequest,
): Promise<DeadGroupPage> {
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const kinds = (await kindsOf(parts, filter)).sort(inOrder);
  const rest = after === undefined ? kinds : kinds.filter((kind) => inOrder(kind, after) > 0);
  const page = rest.slice(0, limit);
  const samples = await samplesOf(parts, page, filter.name);
  const last = page.at(-1);
  return {
    groups: page.map((kind) => shown(kind, samples.get(kind.fingerprint) ?? [])),
    ...(last === undefined || rest.length === page.length ? {} : { next: `${last.count}.${last.fingerprint}` }),
    total: { value: kinds.length, relation: 'exact' },
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

async function kindsOf(parts: DeadGroupParts, filter: DeadGroupFilter): Promise<Kind[]> {
  const { database, queues } = parts;
  const { queue, name, errorClass, text, firstDeadFromMs = 0 } = filter;
  const [queueId] = queue === undefined ? [null] : await queues.known([queue]);
  if (queueId === undefined) return [];
  const byKind = new Map<string, DeathRow[]>();
  for (const row of await database.run('deaths', [queueId, name ?? null, errorClass ?? null])) {
    if (text !== undefined && !holdsText(textOf(row), text)) continue;
    const rows = byKind.get(row.fingerprint) ?? [];
    rows.push(row);
    byKind.set(row.fingerprint, rows);
  }
  return [...byKind]
    .filter(([, rows]) => rows.every(({ first_at_ms }) => first_at_ms >= firstDeadFromMs))
    .map(([fingerprint, rows]) => ({ fingerprint, rows, count: sumOf(rows) }));
}

async function samplesOf(parts: DeadGroupParts, kinds: readonly Kind[], name: string | undefined) {
  const samples = new Map<string, string[]>();
  if (kinds.length === 0) return samples;
  const { database, names } = parts;
  const queueIds = new Set(kinds.flatMap(({ rows }) => rows.map(({ queue_id }) => queue_id)));
  const fingerprints = kinds.map(({ fingerprint }) => fingerprint);
  const values = [fingerprints, [...queueIds], name ?? null, LIMITS.deadGroupSamples] as const;
  for (const row of await database.run('deathSamples', [...values])) {
    samples.set(row.fingerprint, [...(samples.get(row.fingerprint) ?? []), names.id(row.number)]);
  }
  return samples;
}

function shown({ fingerprint, rows, count }: Kind, samples: readonly string[]): DeadGroup {
  const [first] = rows;
  return {
    fingerprint,
    errorClass: first?.error_class ?? '',
    message: first?.message ?? '',
    ...(typeof first?.frame === 'string' ? { frame: first.frame } : {}),
    count,
    queues: tally(rows, ({ queue }) => queue).map(([queue, count]) => ({ queue, count })),
    names: tally(rows, ({ name }) => name).map(([name, count]) => ({ name, count })),
    firstDeadAtMs: Math.min(...rows.map(({ first_at_ms }) => first_at_ms)),
    lastDeadAtMs: Math.max(...rows.map(({ last_at_ms }) => last_at_ms)),
    samples,
  };
}

function textOf({ error_class, message, frame }: DeathRow): string {
  return `${error_class ?? ''}: ${message ?? ''} ${frame ?? ''}`;
}

function sumOf(rows: readonly DeathRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Jobs by queue or name, the most first. */
function tally(rows: readonly DeathRow[], by: (row: DeathRow) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(by(row), (counts.get(by(row)) ?? 0) + row.count);
  return [...counts]
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .slice(0, LIMITS.planQueuesMax);
}
