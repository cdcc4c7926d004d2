// What the mock server tells beyond lists of jobs: errors in groups, workers, histograms, and why a job does not run.
import { fingerprint } from './mock-filter.mjs';
import { histogramPoints } from './mock-histograms.mjs';

export function visible({ mode, world }) {
  return mode === 'empty' ? [] : world.jobs;
}

export function latency(query, { mode, nowMs }) {
  const measure = query.get('measure');
  const stepMs = Number(query.get('stepMs'));
  const unit = { commitRecords: 'records', commitBytes: 'bytes' }[measure] ?? 'microseconds';
  const points = mode === 'empty' ? [] : histogramPoints(measure, stepMs, Number(query.get('fromMs') ?? 0), nowMs);
  return { measure, unit, stepMs, points };
}

export function deadGroups(query, state) {
  const since = Number(query.get('firstDeadFromMs') ?? 0);
  const text = query.get('text')?.toLowerCase();
  const groups = new Map();
  for (const entry of visible(state)) {
    if (entry.row.state !== 'dead') continue;
    if (query.has('queue') && entry.row.queue !== query.get('queue')) continue;
    const key = fingerprint(entry);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const shown = [...groups.values()]
    .map(groupOf)
    .filter((group) => group.firstDeadAtMs >= since)
    .filter((group) => text === undefined || `${group.errorClass} ${group.message}`.toLowerCase().includes(text))
    .sort((a, b) => b.count - a.count);
  return { groups: shown, total: { value: shown.length, relation: 'exact' } };
}

function groupOf(entries) {
  const [errorClass, message, file] = entries[0].error;
  const tally = (field) => {
    const counts = new Map();
    for (const { row } of entries) counts.set(row[field], (counts.get(row[field]) ?? 0) + 1);
    return [...counts].map(([value, count]) => ({ [field]: value, count })).sort((a, b) => b.count - a.count);
  };
  const times = entries.map(({ row }) => row.updatedAtMs);
  return {
    fingerprint: fingerprint(entries[0]),
    errorClass,
    message: message.replaceAll(/[0-9]+(\.[0-9]+)*/g, '<n>'),
    ...(file === 'engine' ? {} : { frame: `deliver (dist/${file}.js)` }),
    count: entries.length,
    queues: tally('queue'),
    names: tally('name').slice(0, 4),
    firstDeadAtMs: Math.min(...times),
    lastDeadAtMs: Math.max(...times),
    samples: entries.slice(0, 5).map(({ row }) => row.id),
  };
}

export function workers(state) {
  const live = visible(state).filter((entry) => entry.row.state === 'leased');
  const names = [...new Set(live.map((entry) => entry.row.lease.worker))].sort();
  const { nowMs } = state;
  return {
    workers: names.map((name, index) => {
      const held = live.filter((entry) => entry.row.lease.worker === name);
      return {
        name,
        queues: [...new Set(held.map((entry) => entry.row.queue))],
        busy: held.length,
        free: index % 4,
        waiting: index % 4 === 1,
        lastSeenAtMs: nowMs - [2_000, 400, 9_000, 41_000, 120_000][index % 5],
      };
    }),
  };
}

const STOPS_AFTER_MS = 6_000;

export function cancelledRun({ cancelledRun: run }, { nowMs }) {
  if (run === undefined) return {};
  const endedAtMs = run.heardAtMs + STOPS_AFTER_MS;
  return { cancelledRun: nowMs < endedAtMs ? run : { ...run, endedAtMs, ended: 'stopped' } };
}

export function why({ row }, { world, nowMs }) {
  const paused = world.paused.get(row.queue);
  const pause = paused === undefined ? [] : [{ kind: 'queuePaused', ...paused }];
  if (row.state === 'leased') {
    return [
      {
        kind: 'leased',
        worker: row.lease.worker,
        sinceMs: row.lease.leasedAtMs,
        attempt: row.attempts,
        heartbeatAgeMs: 6_200,
        remainingMs: 14_000,
        // biome-ignore lint/suspicious/noThenProperty: the word of the contract.
        then: row.attempts === row.maxAttempts ? 'dead' : 'scheduled',
      },
    ];
  }
  if (row.state === 'scheduled' && row.attempts > 0) {
    const { attempts, maxAttempts, runAtMs, lastError } = row;
    return [{ kind: 'retry', attempts, maxAttempts, dueAtMs: runAtMs, error: lastError }, ...pause];
  }
  if (row.state === 'scheduled') return [{ kind: 'notDue', dueAtMs: row.runAtMs }, ...pause];
  if (row.state !== 'ready') return [];
  return [
    ...pause,
    ...(row.queue === 'thumbnails' ? [{ kind: 'noHandler', queueWorkers: 0 }] : []),
    { kind: 'workersBusy', workers: 3, busy: 9 },
    { kind: 'behind', jobs: { value: 12 + (nowMs % 7), relation: 'exact' } },
  ];
}
