import type { JobDetail } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import type { ClaimedJob } from '../../src/engine/engine-calls.js';
import { delivered } from './delivery-check.js';
import { Checks, type Invariant, InvariantViolation } from './invariants.js';
import type { JobSpec } from './known-job.js';
import { Ledger } from './ledger.js';
import { adoptReopened, checkReopened, type Reopened } from './reopen-check.js';
import { acted, leasesExpired, settled } from './settle-check.js';
import type { Loss } from './sim-world.js';
import type { ViewedJob } from './store-view.js';

const WALL_MS = 1_000_000;
const SPEC: JobSpec = {
  queue: 'mail',
  name: 'send',
  priority: 0,
  maxAttempts: 2,
  payload: '"1"',
  runAtMs: WALL_MS,
  expiresAtMs: undefined,
  isDelayed: false,
};
const BACKOFF = { kind: 'fixed', baseMs: 700, maxMs: 700, jitter: 'none' } as const;

/** A history, made up line by line; the first line that is wrong throws. */
class History {
  readonly ledger = new Ledger(new Checks());
  seq = 1;
  monotonicMs = 0;
  wallMs = WALL_MS;

  get at() {
    return { wallMs: this.wallMs, monotonicMs: this.monotonicMs, seq: this.seq };
  }

  enqueue(id: number, spec: Partial<JobSpec> = {}): this {
    const open = this.ledger.enqueueBegins([{ ...SPEC, payload: `"${id}"`, ...spec }]);
    this.ledger.becameDurable(this.seq);
    this.ledger.enqueueAnswered(open, id, this.seq);
    return this;
  }

  deliver(id: number, token: number, attempt: number, job: Partial<ClaimedJob> = {}): this {
    const { queue, name, priority, maxAttempts } = SPEC;
    const shape = { queue, name, priority, maxAttempts, backoff: BACKOFF };
    const whole = { id, token, attempt, shape, payload: `"${id}"`, enqueuedAtMs: WALL_MS, extras: undefined, ...job };
    this.seq++;
    delivered(this.ledger, whole, 1000, this.at);
    return this;
  }

  settle(id: number, token: number, kind: 'ack' | 'release' | 'dead', answer: 'ok' | 'stale' = 'ok'): this {
    const call =
      kind === 'ack'
        ? { kind }
        : kind === 'release'
          ? { kind, delayMs: 0 }
          : // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
            { kind: 'fail' as const, then: 'dead' as const };
    this.seq++;
    settled(this.ledger, id, token, call, answer, this.at);
    return this;
  }

  cancel(id: number): this {
    const job = this.ledger.jobs.get(id)!;
    this.ledger.begin(job, 'cancel');
    this.ledger.becameDurable(++this.seq);
    acted(this.ledger, job, 'cancel', 1, undefined, this.at);
    this.seq++;
    return this;
  }

  durable(): this {
    this.ledger.becameDurable(this.seq);
    return this;
  }

  found(jobs: readonly (Partial<ViewedJob> & { readonly id: number })[], loss: Loss, foundSeq = this.seq): Reopened {
    const rows = jobs.map((job): [number, ViewedJob] => [job.id, { ...row(job.id), ...job }]);
    const view = {
      jobs: new Map(rows),
      pauses: new Map(),
      foundSeq,
      recovery: 'unclean' as const,
      isTorn: false,
      text: '',
    };
    return { view, loss, latestWallMs: this.wallMs, payloadOf: (id) => `"${id}"` };
  }

  reopen(
    jobs: readonly (Partial<ViewedJob> & { readonly id: number })[],
    loss: Loss = 'kept',
    foundSeq?: number,
  ): this {
    checkReopened(this.ledger, this.found(jobs, loss, foundSeq));
    return this;
  }
}

function row(id: number): ViewedJob {
  const { queue, name, priority, maxAttempts, runAtMs } = SPEC;
  const times = { enqueuedAtMs: WALL_MS, runAtMs, updatedAtMs: WALL_MS };
  const payloadBytes = Buffer.byteLength(`"${id}"`);
  return {
    id,
    queue,
    name,
    priority,
    maxAttempts,
    payloadBytes,
    attempts: 0,
    shown: 'ready',
    state: 'waiting',
    ...times,
  };
}

function violated(history: () => unknown): Invariant | undefined {
  try {
    history();
    return undefined;
  } catch (error) {
    if (error instanceof InvariantViolation) return error.invariant;
    throw error;
  }
}

const COMPLETED = { id: 1, state: 'completed', shown: 'completed', attempts: 1 } as const;

/** For each invariant that is checked from a history: the shortest one that breaks it. */
const WRONG: readonly (readonly [Invariant, string, (history: History) => unknown])[] = [
  [1, 'an answered job is gone', (history) => history.enqueue(1).reopen([])],
  [2, 'a job that nobody asked for is there', (history) => history.enqueue(1).reopen([{ id: 1 }, { id: 2 }])],
  [2, 'another payload is delivered', (history) => history.enqueue(1).deliver(1, 1, 1, { payload: '"2"' })],
  [2, 'another priority is delivered', (history) => history.enqueue(1, { priority: 2 }).deliver(1, 1, 1)],
  [
    3,
    'a job runs before its enqueue was answered',
    (history) => {
      history.ledger.enqueueBegins([{ ...SPEC, payload: '"1"' }]);
      history.deliver(1, 1, 1);
    },
  ],
  [
    4,
    'an acked job is delivered',
    (history) => history.enqueue(1).deliver(1, 1, 1).settle(1, 1, 'ack').deliver(1, 2, 2),
  ],
  [
    4,
    'an acked job waits after a kill',
    (history) =>
      history
        .enqueue(1)
        .deliver(1, 1, 1)
        .settle(1, 1, 'ack')
        .reopen([{ id: 1, attempts: 1 }]),
  ],
  [5, 'a job has two leases', (history) => history.enqueue(1).deliver(1, 1, 1).deliver(1, 2, 2)],
  [
    5,
    'an old token acks',
    (history) => history.enqueue(1).deliver(1, 1, 1).settle(1, 1, 'release').deliver(1, 2, 1).settle(1, 1, 'ack'),
  ],
  [6, 'a token comes again', (history) => history.enqueue(1).enqueue(2).deliver(1, 5, 1).deliver(2, 5, 1)],
  [7, 'an id comes again', (history) => history.enqueue(2).enqueue(1)],
  [8, 'an attempt is left out', (history) => history.enqueue(1).deliver(1, 1, 2)],
  [
    8,
    'an attempt is forgotten in a kill',
    (history) =>
      history
        .enqueue(1)
        .deliver(1, 1, 1)
        .reopen([{ id: 1, attempts: 0 }]),
  ],
  [9, 'a dead job runs', (history) => history.enqueue(1).deliver(1, 1, 1).settle(1, 1, 'dead').deliver(1, 2, 2)],
  [
    9,
    'a job is dead before its last attempt',
    (history) => history.enqueue(1).reopen([{ id: 1, state: 'dead', shown: 'dead' }]),
  ],
  [
    10,
    'a job runs again for no reason',
    (history) => {
      history.enqueue(1).deliver(1, 1, 1).settle(1, 1, 'release').deliver(1, 2, 1);
      history.ledger.jobs.get(1)!.change(3, 'waiting', 1);
      history.deliver(1, 3, 2);
    },
  ],
  [
    11,
    'a kill takes back what was answered',
    (history) =>
      history
        .enqueue(1)
        .deliver(1, 1, 1)
        .reopen([{ id: 1 }], 'kept', 1),
  ],
  [
    12,
    'a repeated request has another answer',
    (history) => {
      const request = { id: 'request 1', specs: [SPEC], firstWallMs: 0, firstId: 1 };
      history.enqueue(1).ledger.requestRepeated(request, 2);
    },
  ],
  [14, 'a job passes another', (history) => history.enqueue(1).enqueue(2).deliver(2, 1, 1)],
  [
    15,
    'a job starts before its time',
    (history) => history.enqueue(1, { isDelayed: true, runAtMs: WALL_MS + 5 }).deliver(1, 1, 1),
  ],
  [15, 'a job starts after its age', (history) => history.enqueue(1, { expiresAtMs: WALL_MS }).deliver(1, 1, 1)],
  [16, 'a lease ends before its time', (history) => history.enqueue(1).deliver(1, 1, 1).settle(1, 1, 'ack', 'stale')],
  [
    17,
    'what was durable is not found',
    (history) => {
      history.seq = 9;
      history.enqueue(1).reopen([], 'unsynced', 3);
    },
  ],
  [
    17,
    'half of an enqueue is found',
    (history) => {
      history.ledger.enqueueBegins([SPEC, { ...SPEC, payload: '"2"' }]);
      history.reopen([{ id: 1 }]);
    },
  ],
  [
    21,
    'a rejected job appears',
    (history) => {
      history.ledger.enqueueFailed(history.ledger.enqueueBegins([SPEC]), 'rejected');
      history.reopen([{ id: 1 }]);
    },
  ],
  [
    21,
    'a job appears at the second open',
    (history) => {
      history.ledger.enqueueFailed(history.ledger.enqueueBegins([SPEC]), 'unknown');
      adoptReopened(history.ledger, history.found([], 'kept'));
      history.reopen([{ id: 1 }]);
    },
  ],
  [21, 'a job is completed that nobody acked', (history) => history.enqueue(1).reopen([COMPLETED])],
  [24, 'a cancelled job runs', (history) => history.enqueue(1).cancel(1).deliver(1, 1, 1)],
  [
    24,
    'a cancelled job is back',
    (history) =>
      history
        .enqueue(1)
        .cancel(1)
        .reopen([{ id: 1 }]),
  ],
  [
    24,
    'a paused queue hands out',
    (history) => {
      history.ledger.paused.set('mail', { untilMs: undefined });
      history.enqueue(1).deliver(1, 1, 1);
    },
  ],
  [
    24,
    'a pause is forgotten',
    (history) => {
      history.ledger.paused.set('mail', { untilMs: undefined });
      history.reopen([]);
    },
  ],
];

describe('the checker of the simulator', () => {
  it.each(WRONG)('invariant %i: %s', (invariant, _, history) => {
    expect(violated(() => history(new History()))).toBe(invariant);
  });

  it('has nothing against a life in which all is well', () => {
    const history = new History().enqueue(1).enqueue(2).deliver(1, 1, 1).settle(1, 1, 'ack').deliver(2, 2, 1);
    history.monotonicMs = 1000;
    expect(leasesExpired(history.ledger, history.monotonicMs, history.at)).toBe(1);
    history.wallMs += 700;
    history.deliver(2, 3, 2).settle(2, 2, 'ack', 'stale').settle(2, 3, 'ack');
    const both = [COMPLETED, { ...COMPLETED, id: 2, attempts: 2 }];
    expect(violated(() => history.reopen(both))).toBeUndefined();
  });

  it('lets a job of an unanswered enqueue be forgotten once it is too old to start, and no other', () => {
    const history = new History();
    const late = { ...SPEC, payload: '"2"', expiresAtMs: WALL_MS + 500 };
    history.ledger.enqueueBegins([{ ...SPEC, payload: '"1"' }, late]);
    expect(violated(() => history.reopen([{ id: 1 }]))).toBe(17);
    history.wallMs += 500;
    expect(violated(() => history.reopen([{ id: 1 }]))).toBeUndefined();
    expect(violated(() => history.reopen([{ id: 2 }]))).toBe(17);
  });

  it('lets a power cut take back what no sync had covered, and only that', () => {
    const history = new History().enqueue(1).deliver(1, 1, 1).settle(1, 1, 'ack');
    expect(violated(() => history.reopen([{ id: 1 }], 'unsynced', 1))).toBeUndefined();
    expect(violated(() => history.reopen([{ id: 1, attempts: 1 }], 'unsynced', 2))).toBeUndefined();
    expect(violated(() => history.durable().reopen([{ id: 1, attempts: 1 }], 'unsynced'))).toBe(4);
  });

  it('does not hold what an act has shown against commits whose numbers were given out again', () => {
    const history = new History().enqueue(1).durable().deliver(1, 1, 1);
    const { ledger } = history;
    const job = ledger.jobs.get(1)!;
    ledger.begin(job, 'reprioritise');
    const leased = { state: 'leased', attempts: 1, priority: 0, runAtMs: WALL_MS } as JobDetail;
    acted(ledger, job, 'reprioritise', 0, leased, history.at);
    const { seq } = history;
    expect(violated(() => history.reopen([{ id: 1 }], 'unsynced', seq - 1))).toBeUndefined();
    ledger.takeBackAfter(seq - 1);
    // The open after the power cut has itself ended, behind a commit of its own.
    expect(violated(() => history.reopen([{ id: 1 }], 'kept', seq))).toBeUndefined();
  });
});
