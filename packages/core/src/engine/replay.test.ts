import { LogCorruptError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { keeping } from '../../test/model/keeping.js';
import type { LogRecord } from '../log/log-record.js';
import { encodeEnqueue, enqueueBodyBytes } from '../state/enqueue-record.js';
import { STATE } from '../state/job-state.js';
import { JobTable } from '../state/job-table.js';
import { encodeMove, type MoveFields, moveBodyBytes } from '../state/move-record.js';
import { RECORD } from '../state/record-kinds.js';
import { Replay } from './replay.js';

const BACKOFF = { kind: 'fixed' as const, baseMs: 1, maxMs: 1, jitter: 'none' as const };
const JOB = { id: 1, enqueuedAtMs: 5, runAtMs: 5, priority: 0, payloadBytes: 2, expiresAtMs: 0 };
const NO_LEASE = { token: 0, leasedAtMs: 0, leaseMs: 0, worker: '' };
const AS_ENQUEUED: MoveFields = {
  ...{ state: STATE.ready, attempts: 0, runAtMs: 5, rankAtMs: 5, updatedAtMs: 5, priority: 0, endedOrder: 0 },
  ...{ historyCut: false, mayExpire: false, takesKey: false, ...NO_LEASE },
};

function recordOf(kind: number, bodyBytes: number, location: number): LogRecord {
  const buffer = new Uint8Array(bodyBytes);
  const view = new DataView(buffer.buffer);
  return { kind, flags: 0, buffer, view, offset: 0, bodyBytes, location, recordBytes: bodyBytes + 12 };
}

/** A replay that knows a ready job, and what a MOVE of it with these fields is to that. */
function moving(fields: Partial<MoveFields>) {
  const table = new JobTable(keeping(10));
  const { template } = table.shapes.intern({ queue: 'q', name: 'n', maxAttempts: 5, backoff: BACKOFF });
  const enqueue = recordOf(RECORD.enqueue, enqueueBodyBytes(template, 2), 2 ** 32 + 400);
  encodeEnqueue(enqueue, JOB, template, '{}');
  const replay = new Replay(table);
  replay.record(enqueue);
  const contents = {
    fields: { ...AS_ENQUEUED, ...fields },
    worker: new Uint8Array(0),
    enqueue: enqueue.buffer,
    history: [],
  };
  const move = recordOf(RECORD.move, moveBodyBytes(contents), 2 ** 32 + 900);
  encodeMove(move, contents);
  return () => replay.record(move);
}

it('takes a MOVE that repeats what is known of its job', () => {
  expect(moving({})).not.toThrow();
});

it.each<[string, Partial<MoveFields>]>([
  ['has ended', { state: STATE.completed, token: 2 ** 32 + 1, endedOrder: 7 }],
  ['was tried more often', { attempts: 2 }],
  ['starts at another time', { runAtMs: 77 }],
  ['waits', { state: STATE.scheduled }],
])('refuses a MOVE that says of a ready job that it %s', (_, fields) => {
  expect(moving(fields)).toThrow(LogCorruptError);
});
