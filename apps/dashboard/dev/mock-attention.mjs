// What needs attention in the mock world, by the rules of the real server (packages/nestjs/src/admin/attention.ts).
import { deadGroups, workers } from './mock-facts.mjs';

const NEW_MS = 900_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SILENT_MS = 90_000;

/** `shown`: the overview. */
export function attention({ health, queues }, state) {
  const { world, nowMs } = state;
  if (queues.length === 0) return { items: [], total: 0 };
  const groups = deadGroups(new URLSearchParams(), state).groups;
  const dying = queues.filter(({ counts }) => counts.dead > 0);
  const jobs = dying.reduce((sum, { counts }) => sum + counts.dead, 0);
  const expiries = world.expiries.filter(({ atMs }) => nowMs - atMs < HOUR_MS);
  const dangers = [
    ...(health.status === 'open' ? [] : [{ kind: 'storeNotOpen', status: health.status, detail: health.detail }]),
    ...groups
      .filter(({ firstDeadAtMs }) => nowMs - firstDeadAtMs < NEW_MS)
      .map((error) => ({ kind: 'newError', error })),
    ...(jobs === 0 ? [] : [{ kind: 'deadJobs', jobs, queues: dying.length, ...only(dying) }]),
    ...workers(state)
      .workers.filter(({ waiting, busy, lastSeenAtMs }) => !waiting && busy > 0 && nowMs - lastSeenAtMs > SILENT_MS)
      .map(({ name, busy, lastSeenAtMs }) => ({ kind: 'silentWorker', worker: name, busy, lastSeenAtMs })),
    ...queues
      .filter(
        ({ paused, counts, oldestReadyAtMs = nowMs }) =>
          paused === undefined && counts.leased === 0 && nowMs - oldestReadyAtMs > MINUTE_MS,
      )
      .map(({ name, counts, oldestReadyAtMs }) => ({
        kind: 'nobodyWorks',
        queue: name,
        ready: counts.ready,
        oldestReadyAtMs,
      })),
  ];
  const cautions = [
    ...queues.flatMap(({ name, paused }) =>
      paused === undefined ? [] : [{ kind: 'pausedQueue', queue: name, paused }],
    ),
    ...(expiries.length === 0
      ? []
      : [{ kind: 'leaseExpiries', expiries: expiries.length, latestAtMs: expiries[0].atMs }]),
    ...(health.reopened === 0 ? [] : [{ kind: 'reopened', times: health.reopened }]),
  ];
  const items = [
    ...dangers.map((fact) => ({ tone: 'danger', ...fact })),
    ...cautions.map((fact) => ({ tone: 'caution', ...fact })),
  ];
  return { items, total: items.length };
}

function only(queues) {
  return queues.length === 1 ? { queue: queues[0].name } : {};
}
