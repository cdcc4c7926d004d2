// The answers of the admin API, made from the mock world. Modes: data, empty, failing, failed-store, closed.

import { UNDO_WINDOW_MS } from './mock-acts.mjs';
import { attention } from './mock-attention.mjs';
import { cancelledRun, deadGroups, latency, visible, why, workers } from './mock-facts.mjs';
import { isSearch, matches } from './mock-filter.mjs';
import { Refusal } from './mock-refusal.mjs';

const JOB_STATES = ['scheduled', 'ready', 'leased', 'completed', 'dead', 'cancelled'];
const REDRIVE_ROLES = ['operator', 'admin'];
const TEXT_MAX = 65_536;
const FEATURES = {
  search: true,
  deadGroups: true,
  bulk: true,
  activity: true,
  workers: true,
  latency: true,
  events: true,
  clone: true,
  transfer: true,
};
const EXPIRIES_BY = [
  { queue: 'receipts', worker: 'shop-a.internal:4100', count: 6 },
  { queue: 'webhooks', worker: 'shop-b.internal:4101', count: 4 },
  { queue: 'webhooks', worker: 'shop-c.internal:4102', count: 3 },
  { queue: 'exports', worker: 'shop-a.internal:4106', count: 1 },
];

/** `state`: { mode, role, world, nowMs } */
export function answer(method, segments, query, body, state) {
  if (state.mode === 'closed') {
    throw new Refusal(
      403,
      'ACCESS_CLOSED',
      'Forbidden',
      'This dashboard is closed: the application has not said who may enter. Give HoldfastAdminModule.forRoot an authorize function.',
    );
  }
  const [resource, id] = segments;
  if (resource === 'meta') return meta(state);
  if (state.mode === 'failing') {
    throw new Refusal(
      503,
      'STORE_FAILED',
      'Service Unavailable',
      'The disk refused a sync (EIO). The call was not applied.',
    );
  }
  if (method === 'POST') return post(segments, body, state);
  const routes = { overview, leases, storage, workers, activity };
  if (resource === 'attention') return attention(overview(state), state);
  if (resource === 'dead') return deadGroups(query, state);
  if (resource === 'latency') return latency(query, state);
  if (resource === 'bulk') return bulk(segments, state);
  if (resource === 'jobs') return id === undefined ? jobs(query, state) : job(id, state);
  if (routes[resource] === undefined) throw new Refusal(404, 'ROUTE_NOT_FOUND', 'Not Found', 'There is no such route.');
  return routes[resource](state);
}

function post(segments, body, state) {
  if (segments[0] === 'redrives') return redrives(body, state);
  const answered = state.desk.post(segments, body, state);
  if (answered === undefined) throw new Refusal(404, 'ROUTE_NOT_FOUND', 'Not Found', 'There is no such route.');
  return answered;
}

function bulk([, , id], { desk }) {
  return id === undefined ? { operations: desk.shownOperations() } : { operation: desk.operation(id) };
}

function activity({ desk, mode }) {
  return { entries: mode === 'empty' ? [] : desk.audit.slice(0, 50), kept: { ageMs: 90 * 86_400_000, count: 100_000 } };
}

function meta({ role, mode }) {
  const tone = mode === 'failing' || mode === 'failed-store' ? 'danger' : 'caution';
  return {
    version: '0.1.0',
    role,
    actor: 'grace@example.org',
    environment: { label: 'staging', tone },
    features: FEATURES,
    undoWindowMs: UNDO_WINDOW_MS,
  };
}

function health({ mode }) {
  if (mode === 'full')
    return {
      status: 'full',
      reopened: 0,
      detail: 'The disk has no room. Jobs can still be ended; free some space and new ones are taken again.',
    };
  if (mode !== 'failed-store') return { status: 'open', reopened: 0 };
  return {
    status: 'failed',
    reopened: 2,
    detail: 'A sync failed (EIO) and reopening failed too. Check the disk, then restart the process.',
  };
}

function overview(state) {
  const { world, nowMs } = state;
  if (state.mode === 'empty') return { health: health(state), queues: [] };
  const queues = [...world.throughput].map(([name, throughput]) => {
    const rows = world.jobs.filter((job) => job.row.queue === name).map((job) => job.row);
    const ready = rows.filter((row) => row.state === 'ready').map((row) => row.runAtMs);
    return {
      name,
      counts: Object.fromEntries(
        JOB_STATES.map((wanted) => [wanted, rows.filter((row) => row.state === wanted).length]),
      ),
      retrying: rows.filter((row) => row.state === 'scheduled' && row.attempts > 0).length,
      ...(ready.length === 0 ? {} : { oldestReadyAtMs: Math.min(...ready) }),
      throughput: { ...throughput, fromMs: nowMs - 59.5 * throughput.stepMs },
      ...(world.paused.has(name) ? { paused: world.paused.get(name) } : {}),
    };
  });
  return { health: health(state), queues };
}

function jobs(query, state) {
  const limit = Number(query.get('limit') ?? 50);
  const from = Number(query.get('cursor') ?? 0);
  const filter = Object.fromEntries(query);
  const matching = visible(state).filter((entry) => matches(entry, filter, state.nowMs));
  const rows = matching.slice(from, from + limit).map((entry) => withLease(entry, state.nowMs));
  const next = from + limit < matching.length ? { next: String(from + limit) } : {};
  const scan = isSearch(filter) ? { scan: { scanned: state.world.jobs.length, exhausted: true } } : {};
  return { rows, ...next, total: { value: matching.length, relation: 'exact' }, ...scan };
}

function withLease(entry, nowMs) {
  if (entry.row.lease === undefined) return entry.row;
  return { ...entry.row, lease: { ...entry.row.lease, remainingMs: entry.endsAtMs - nowMs } };
}

function job(id, state) {
  const entry = visible(state).find((known) => known.row.id === id);
  if (entry === undefined) throw new Refusal(404, 'JOB_NOT_FOUND', 'Not Found', 'The store does not know this job.');
  const record = { file: `0000000041.segment`, offset: 18_204_112, bytes: 412 };
  const result =
    entry.row.state === 'completed' ? { result: text('{"messageId":"<order-17@shop.example>","accepted":1}') } : {};
  return {
    job: {
      ...withLease(entry, state.nowMs),
      ...entry.extras,
      payload: text(entry.payload),
      ...result,
      attemptLog: entry.attemptLog,
      acts: entry.acts,
      record,
    },
    why: why({ row: withLease(entry, state.nowMs) }, state),
    ...cancelledRun(entry, state),
  };
}

function text(value) {
  return {
    encoding: 'text',
    text: value.slice(0, TEXT_MAX),
    bytes: Buffer.byteLength(value),
    truncated: value.length > TEXT_MAX,
  };
}

function leases(state) {
  const live = visible(state).filter((entry) => entry.row.state === 'leased');
  const rows = live.map(({ row, endsAtMs, extensions, token }) => ({
    id: row.id,
    queue: row.queue,
    name: row.name,
    worker: row.lease.worker,
    attempt: row.attempts,
    maxAttempts: row.maxAttempts,
    token,
    leasedAtMs: row.lease.leasedAtMs,
    leaseMs: row.lease.leaseMs,
    remainingMs: endsAtMs - state.nowMs,
    extensions,
  }));
  return { leases: rows, expiries: state.mode === 'empty' ? [] : state.world.expiries };
}

function storage(state) {
  const { mode, world, nowMs } = state;
  const steps =
    mode === 'empty'
      ? []
      : Array.from({ length: 360 }, (_, index) => index).filter((index) => index < 200 || index > 226 || index === 213);
  const at = (index) => Math.floor(nowMs / 10_000) * 10_000 - (359 - index) * 10_000;
  const wave = (index, salt) =>
    1 + 0.35 * Math.sin(index / 9 + salt) + ((Math.imul(index + salt, 2_654_435_761) >>> 8) % 100) / 220;
  const metrics = {
    stepMs: 10_000,
    syncLatency: steps.map((index) => {
      const p50Ms = 0.9 * wave(index, 1);
      const p99Ms = p50Ms * (4 + 3 * wave(index, 5));
      return {
        atMs: at(index),
        count: Math.round(700 * wave(index, 3)),
        p50Ms,
        p99Ms,
        maxMs: p99Ms * (1.2 + 4 * (index % 23 === 0)),
      };
    }),
    commits: steps.map((index) => {
      const commits = Math.round(700 * wave(index, 3));
      const records = Math.round(commits * 9 * wave(index, 7));
      return { atMs: at(index), commits, records, recordsMax: Math.round(40 * wave(index, 2)), bytes: records * 380 };
    }),
    totals: {
      enqueued: 184_211,
      claimed: 181_040,
      completed: 179_980,
      failed: 2_114,
      dead: 1_204,
      leaseExpiries: 14,
      commits: 40_112,
      bytesWritten: 812_000_000,
    },
    leaseExpiriesBy: mode === 'empty' ? [] : EXPIRIES_BY,
    engineStallMsMax: 14.2,
    applicationStallMsMax: 1_840,
  };
  return { health: health(state), report: report(world, mode, nowMs), metrics };
}

function report(world, mode, nowMs) {
  const count = mode === 'empty' ? 1 : 9;
  const segments = Array.from({ length: count }, (_, index) => ({
    number: 33 + index,
    file: `${String(33 + index).padStart(10, '0')}.segment`,
    bytes: index === count - 1 ? (mode === 'empty' ? 4_096 : 18_204_524) : 67_108_864 - index * 911,
    firstSeq: String(1_000_000 + index * 52_000),
    lastSeq: String(1_051_999 + index * 52_000),
    state: index === count - 1 ? 'active' : 'sealed',
    liveBytes:
      mode === 'empty' ? 0 : Math.round((0.15 + 0.09 * index) * (index === count - 1 ? 17_000_000 : 67_000_000)),
  }));
  const crash = {
    kind: 'unclean',
    atMs: world.startedAtMs,
    tookMs: 842,
    segments: 2,
    bytesRead: 81_204_112,
    recordsReplayed: 18_402,
    epoch: 42,
    tornTail: { file: '0000000040.segment', offset: 14_112_004, bytes: 212, keptAs: '0000000040.segment.torn' },
    leasesEnded: { retried: 2, dead: 1 },
  };
  const fresh = {
    kind: 'new',
    atMs: nowMs - 4_000,
    tookMs: 3.1,
    segments: 0,
    bytesRead: 0,
    recordsReplayed: 0,
    epoch: 1,
    leasesEnded: { retried: 0, dead: 0 },
  };
  return {
    kind: 'log',
    location: '/var/lib/shop/queue',
    storeId: '9f1c2ab08d7e4c55a1b2c3d4e5f60718',
    segments,
    bytes: segments.reduce((total, segment) => total + segment.bytes, 0),
    diskFreeBytes: mode === 'full' ? 1_200_000 : 61_400_000_000,
    diskReserve: {
      bytes: 16_777_216,
      heldBytes: mode === 'full' ? 9_000_000 : 16_777_216,
      ...(mode === 'full' ? { fullSinceMs: nowMs - 320_000 } : {}),
    },
    compaction: {
      running: mode === 'data',
      movedJobs: mode === 'empty' ? 0 : 18_204,
      movedBytes: mode === 'empty' ? 0 : 9_400_000,
      freedBytes: mode === 'empty' ? 0 : 402_000_000,
      ...(mode === 'empty' ? {} : { lastAtMs: nowMs - 4_000 }),
      ...(mode === 'full'
        ? { stoppedBy: { file: '0000000033.segment', problem: 'A record cannot be read (checksum).' } }
        : {}),
    },
    durableSeq: segments.at(-1).lastSeq,
    recovery: mode === 'empty' ? fresh : crash,
  };
}

function redrives(body, { mode, role, world, nowMs }) {
  if (!REDRIVE_ROLES.includes(role))
    throw new Refusal(403, 'ROLE_TOO_LOW', 'Forbidden', 'Redriving needs the role operator.');
  if (mode === 'failing')
    throw new Refusal(
      503,
      'STORE_FAILED',
      'Service Unavailable',
      'A sync failed. The call may or may not have been applied.',
    );
  const all = 'allDead' in body;
  const inScope = (row) =>
    row.state === 'dead' && (body.allDead.queue === undefined || body.allDead.queue === row.queue);
  const matched = all ? world.jobs.filter((entry) => inScope(entry.row)) : body.ids.map((id) => world.find(id));
  const dead = matched.filter((entry) => entry?.row.state === 'dead');
  const skipped = {};
  for (const entry of matched) {
    if (entry?.row.state === 'dead') continue;
    const why = entry?.row.state ?? 'missing';
    skipped[why] = (skipped[why] ?? 0) + 1;
  }
  world.redrive(dead, 'grace@example.org', body.reason, nowMs);
  return { outcome: { matched: matched.length, done: dead.length, skipped } };
}
