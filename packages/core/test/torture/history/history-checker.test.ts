import { describe, expect, it } from 'vitest';
import type { Invariant } from './check-report.js';
import { Story } from './story.js';

const A = 's-a';
const B = 's-b';
const T1 = '000001.00000001';
const T2 = '000001.00000002';
const NEXT = '000002.00000001';
const completed = { id: A, state: 'completed', attempts: 1 };
const ready = { id: A, state: 'ready', payload: { key: A, hash: `hash of ${A}` } };

/** What the checker finds, each invariant once. */
function found(story: Story): Invariant[] {
  return [...new Set(story.check({ takenBackMs: 50 }).violations.map(({ invariant }) => invariant))];
}

const story = () => new Story().open();
const delivered = () => story().enqueue(A).claim({ id: A, token: T1 });
const acked = () => delivered().settle('ack', A, T1);

describe('a life in order', () => {
  it('is told in figures', () => {
    const report = acked()
      .enqueue(B)
      .end()
      .open([completed, { ...ready, id: B, payload: { key: B, hash: `hash of ${B}` } }])
      .claim({ id: B, token: NEXT })
      .settle('ack', B, NEXT)
      .close()
      .check();
    expect(report.violations).toMatchObject([
      { invariant: 'liveness', problem: expect.stringContaining('ready in the end') },
    ]);
    expect(report).toMatchObject({ enqueued: 2, deliveries: 2, acked: 2, opens: 2, uncleanOpens: 1 });
  });

  it('may end in any call, whose fate the next open tells', () => {
    const enqueues = story();
    enqueues.asksToEnqueue(A, B);
    expect(found(enqueues.end().open([]).close())).toEqual([]);
    const acks = delivered();
    acks.asksTo('ack', A, T1);
    expect(found(acks.end().open([completed]).close())).toEqual([]);
    const claims = story().enqueue(A);
    claims.asksToClaim();
    const counted = { ...ready, state: 'scheduled', attempts: 1 };
    expect(
      found(
        claims
          .end()
          .open([counted])
          .claim({ id: A, token: NEXT, attempt: 2 })
          .settle('ack', A, NEXT)
          .end()
          .open([{ ...completed, attempts: 2 }]),
      ),
    ).toEqual([]);
  });

  it('may forget a completed job, for ever', () => {
    expect(found(acked().end().open([]))).toEqual([]);
    expect(found(acked().end().open([]).claim({ id: A, token: NEXT, attempt: 2 }))).toEqual(['ack is final']);
  });

  it('may deliver again what expired, failed, was released or redriven, and what its process held', () => {
    const expired = delivered().pass(1000).claim({ id: A, token: T2, attempt: 2 });
    const failed = delivered().settle('fail', A, T1).claim({ id: A, token: T2, attempt: 2 });
    const released = delivered().settle('release', A, T1).claim({ id: A, token: T2, attempt: 1 });
    const redriven = delivered()
      .settle('fail', A, T1, 'ok', { dead: true })
      .act('redrive', A)
      .claim({ id: A, token: T2, attempt: 1 });
    const restarted = delivered()
      .end()
      .open([{ ...ready, attempts: 1 }])
      .claim({ id: A, token: NEXT, attempt: 2 });
    for (const [cause, told] of Object.entries({
      leaseExpired: expired,
      failed,
      released,
      redriven,
      restart: restarted,
    })) {
      const report = told.check();
      expect(report.violations.filter(({ invariant }) => invariant !== 'liveness')).toEqual([]);
      expect([cause, report.redeliveries]).toMatchObject([cause, { [cause]: 1 }]);
    }
  });

  it('may lose a job that was removed, and end one that was cancelled, answered or not', () => {
    const removed = story().enqueue(A);
    removed.asksToAct('remove', A);
    expect(found(removed.end().open([]).end().open([]))).toEqual([]);
    const cancelled = delivered().act('cancel', A).settle('ack', A, T1, 'stale');
    expect(found(cancelled.end('power').open([{ ...ready, state: 'cancelled', attempts: 1 }]))).toEqual([]);
    expect(found(story().enqueue(A).act('remove', A).end('power').open([]))).toEqual([]);
  });

  it('takes a redrive back with all that came of it, if the redrive was not answered', () => {
    const T3 = '000001.00000003';
    const dead = () =>
      delivered()
        .settle('fail', A, T1)
        .claim({ id: A, token: T2, attempt: 2 })
        .settle('fail', A, T2, 'ok', { dead: true });
    const shown = { ...ready, state: 'dead', attempts: 2, outcomes: ['failed', 'failed'] };
    const unanswered = dead();
    unanswered.asksToAct('redrive', A);
    expect(found(unanswered.claim({ id: A, token: T3 }).end('power').open([shown]))).toEqual([]);
    const answered = dead().act('redrive', A).claim({ id: A, token: T3 });
    expect(found(answered.end('power').open([shown]))).toEqual(['attempts']);
  });

  it('loses the last acks to a power cut, and says how old they were', () => {
    const report = acked()
      .end('power')
      .open([{ ...ready, attempts: 1 }])
      .check({ takenBackMs: 50 });
    expect(report).toMatchObject({ acksTakenBack: 1, oldestTakenBackMs: 10 });
    expect(
      found(
        acked()
          .pass(100)
          .end('power')
          .open([{ ...ready, attempts: 1 }]),
      ),
    ).toContain('ack is final');
  });
});

describe('a bad history', () => {
  const bad: Record<string, readonly [Invariant, () => Story]> = {
    'an answered job is gone after a kill': ['no loss', () => story().enqueue(A).end().open([])],
    'an answered job is gone after a power cut': ['no loss', () => story().enqueue(A).end('power').open([])],
    'the store is another one': ['no loss', () => story().end().open([], 2, 'other')],
    'a job that nobody asked for': ['no phantom', () => story().claim({ id: A, token: T1 })],
    'a payload that is not the one asked for': [
      'no phantom',
      () => story().enqueue(A).claim({ id: A, token: T1, hash: 'other' }),
    ],
    'a job in another queue': [
      'no phantom',
      () =>
        story()
          .enqueue(A)
          .end()
          .open([{ ...ready, queue: 'other' }]),
    ],
    'a job that was delivered and was not durable': [
      'durable before visible',
      () => {
        const s = story();
        s.asksToEnqueue(A);
        return s.claim({ id: A, token: T1 }).end('power').open([]);
      },
    ],
    'an acked job is delivered again': [
      'ack is final',
      () => acked().pass(2000).claim({ id: A, token: T2, attempt: 2 }),
    ],
    'an acked job is back after a kill': [
      'ack is final',
      () =>
        acked()
          .end()
          .open([{ ...ready, attempts: 1 }]),
    ],
    'an ack is taken back although a later enqueue was kept': [
      'ack is final',
      () =>
        acked()
          .enqueue(B)
          .end('power')
          .open([
            { ...ready, attempts: 1 },
            { ...ready, id: B, payload: { key: B, hash: `hash of ${B}` } },
          ]),
    ],
    'a job is completed without an ack': ['ack is final', () => delivered().end().open([completed])],
    'two live leases': ['fencing', () => delivered().claim({ id: A, token: T2, attempt: 2 })],
    'an extended lease is given away': [
      'fencing',
      () =>
        delivered()
          .pass(900)
          .settle('extend', A, T1, 'ok', { leaseMs: 1000 })
          .pass(500)
          .claim({ id: A, token: T2, attempt: 2 }),
    ],
    'a token of an older lease acks': [
      'fencing',
      () => delivered().pass(1000).claim({ id: A, token: T2, attempt: 2 }).settle('ack', A, T1),
    ],
    'a token of an older process acks': [
      'fencing',
      () =>
        delivered()
          .end()
          .open([{ ...ready, attempts: 1 }])
          .settle('ack', A, T1),
    ],
    'a lease outlives its process': [
      'fencing',
      () =>
        delivered()
          .end()
          .open([{ ...ready, state: 'leased', attempts: 1 }]),
    ],
    'a token is given out twice': [
      'token order',
      () => story().enqueue(A, B).claim({ id: A, token: T1 }).claim({ id: B, token: T1 }),
    ],
    'tokens start anew after a kill': [
      'token order',
      () =>
        acked()
          .enqueue(B)
          .end()
          .open([completed, { ...ready, id: B, payload: { key: B, hash: `hash of ${B}` } }])
          .claim({ id: B, token: T1 }),
    ],
    'an id is given out twice': [
      'ids',
      () => {
        const s = story().enqueue(A);
        return s.enqueued(s.asksToEnqueue('other'), A);
      },
    ],
    'ids start anew after a kill': [
      'ids',
      () => {
        const s = story()
          .enqueue(B)
          .end()
          .open([{ ...ready, id: B, payload: { key: B, hash: `hash of ${B}` } }]);
        return s.enqueued(s.asksToEnqueue(A), A);
      },
    ],
    'an epoch comes again': ['ids', () => story().end().open([], 1)],
    'an attempt is not counted': [
      'attempts',
      () => delivered().settle('fail', A, T1).claim({ id: A, token: T2, attempt: 1 }),
    ],
    'an attempt is left out': [
      'attempts',
      () => delivered().settle('fail', A, T1).claim({ id: A, token: T2, attempt: 3 }),
    ],
    'an attempt is forgotten by a kill': ['attempts', () => delivered().end().open([ready])],
    'more attempts than allowed': [
      'attempts',
      () => {
        const s = story();
        return s
          .enqueued(s.asksToEnqueueWith({ maxAttempts: 1 }, A), A)
          .claim({ id: A, token: T1, maxAttempts: 1 })
          .pass(2000)
          .claim({ id: A, token: T2, attempt: 2, maxAttempts: 1 });
      },
    ],
    'a job is dead before its last attempt': [
      'dead only at max',
      () =>
        delivered()
          .end()
          .open([{ ...ready, state: 'dead', attempts: 1 }]),
    ],
    'a dead job is delivered': [
      'dead only at max',
      () => delivered().settle('fail', A, T1, 'ok', { dead: true }).claim({ id: A, token: T2, attempt: 2 }),
    ],
    'a dead job is alive after a kill': [
      'dead only at max',
      () =>
        delivered()
          .settle('fail', A, T1, 'ok', { dead: true })
          .end()
          .open([{ ...ready, attempts: 1 }]),
    ],
    'a history with fewer attempts than counted': [
      'attempts',
      () =>
        delivered()
          .settle('fail', A, T1, 'ok', { dead: true })
          .end()
          .open([{ ...ready, state: 'dead', attempts: 1, outcomes: ['running'] }]),
    ],
    'a job without a reason to come twice': [
      'fencing',
      () =>
        delivered().settle('extend', A, T1, 'ok', { leaseMs: 5000 }).pass(3000).claim({ id: A, token: T2, attempt: 2 }),
    ],
    'an unanswered job is there twice': [
      'ids',
      () => {
        const s = story();
        s.asksToEnqueue(A);
        return s.end().open([ready, { ...ready, id: B }]);
      },
    ],
    'counts that are not those of the jobs': [
      'conservation',
      () => story().enqueue(A).end().open([ready]).counting({ ready: 2 }),
    ],
    'a job is shown twice': ['conservation', () => story().enqueue(A).end().open([ready, ready])],
    'a job starts before its time': [
      'delay',
      () => {
        const s = story();
        return s.enqueued(s.asksToEnqueueWith({ delayMs: 500 }, A), A).claim({ id: A, token: T1 });
      },
    ],
    'a lease is refused before its end': ['lease time', () => delivered().settle('ack', A, T1, 'stale')],
    'half of a commit is there': [
      'whole commits',
      () => {
        const s = story();
        s.asksToEnqueue(A, B);
        return s.end().open([ready]);
      },
    ],
    'a log that was closed is not clean': ['whole commits', () => story().close().open([])],
    'a rejected job is there': [
      'error truth',
      () => {
        const s = story();
        return s.failed(s.asksToEnqueue(A), 'rejected').end().open([ready]);
      },
    ],
    'an absent job comes up later': [
      'error truth',
      () => {
        const s = story();
        s.asksToEnqueue(A);
        return s.end().open([]).end().open([ready]);
      },
    ],
    'a cancelled job is delivered': [
      'acts stay',
      () => story().enqueue(A).act('cancel', A).claim({ id: A, token: T1 }),
    ],
    'a cancelled job is back after a kill': [
      'acts stay',
      () => story().enqueue(A).act('cancel', A).end().open([ready]),
    ],
    'a cancelled job is back after a power cut': [
      'acts stay',
      () => story().enqueue(A).act('cancel', A).end('power').open([ready]),
    ],
    'a removed job is back after a kill': ['acts stay', () => story().enqueue(A).act('remove', A).end().open([ready])],
    'a job is cancelled and nobody asked': [
      'acts stay',
      () =>
        story()
          .enqueue(A)
          .end()
          .open([{ ...ready, state: 'cancelled' }]),
    ],
    'a job is acked after it was cancelled': ['acts stay', () => delivered().act('cancel', A).settle('ack', A, T1)],
    'an enqueue is answered in part': [
      'error truth',
      () => {
        const s = story();
        return s.enqueued(s.asksToEnqueue(A, B), A);
      },
    ],
    'an answer after the disk failed': [
      'poison',
      () => {
        const s = story();
        const call = s.asksToEnqueue(A);
        return s.health('failed').enqueued(call, A);
      },
    ],
    'a call is never answered': [
      'liveness',
      () => {
        const s = story();
        s.asksToEnqueue(A);
        return s.close();
      },
    ],
    'a job is never done': ['liveness', () => story().enqueue(A).end().open([ready])],
    'a job starts long after its time': [
      'liveness',
      () => {
        const s = story();
        return s
          .enqueued(s.asksToEnqueueWith({ delayMs: 500 }, A), A)
          .pass(20_000)
          .claim({ id: A, token: T1 })
          .settle('ack', A, T1)
          .end()
          .open([completed]);
      },
    ],
  };

  it.each(Object.entries(bad))('%s', (_name, [invariant, tell]) => {
    expect(found(tell())).toContain(invariant);
  });

  it('is there for each invariant', () => {
    const told = new Set(Object.values(bad).map(([invariant]) => invariant));
    expect(told.size).toBe(17);
  });
});
