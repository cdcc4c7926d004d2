import { CursorInvalidError, LogCorruptError, LogVersionError } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from '../../test/model/engine-rig.js';
import { SegmentedLog } from '../log/segmented-log.js';
import { BodyWriter } from '../state/record-body.js';
import { RECORD } from '../state/record-kinds.js';

describe('browse', () => {
  it('pages newest first with an opaque cursor and an exact total', () => {
    const rig = new EngineRig();
    const ids = rig.enqueue({}, {}, {}, {}, { shape: { ...SHAPE, queue: 'web' } });
    const first = rig.engine.browse({ queue: 'mail' }, { limit: 3 });
    expect(first.rows.map(({ id }) => id)).toEqual([ids[3], ids[2], ids[1]].map((id) => rig.text(id!)));
    expect(first.total).toEqual({ value: 4, relation: 'exact' });
    rig.enqueue({});
    const second = rig.engine.browse({ queue: 'mail' }, { limit: 3, cursor: first.next! });
    expect(second.rows.map(({ id }) => id)).toEqual([rig.text(ids[0]!)]);
    expect(second.next).toBeUndefined();
    expect(rig.engine.browse({ state: 'ready', name: 'send' }, { limit: 1 }).total.value).toBe(6);
    expect(rig.engine.browse({ state: 'dead' }, { limit: 1 })).toEqual({
      rows: [],
      total: { value: 0, relation: 'exact' },
    });
  });

  it.each(['', 'x', 'zzzzz-1', '00000-1'])('refuses the cursor %j', (cursor) => {
    const rig = new EngineRig();
    rig.enqueue({});
    expect(() => rig.engine.browse({}, { limit: 1, cursor })).toThrow(CursorInvalidError);
    expect(() => rig.engine.browse({}, { limit: 1, cursor: rig.text(3) })).toThrow(CursorInvalidError);
  });

  it('shows the first line of the last error on retrying and dead jobs only, also behind a release', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    rig.fail(rig.claim()[0]!, 'backoff', { class: 'Oops', message: 'first line\nsecond line' });
    const row = () => rig.engine.browse({}, { limit: 1 }).rows[0]!;
    expect(row().lastError).toEqual({ class: 'Oops', message: 'first line' });
    rig.advance(1000);
    expect(row().lastError).toBeUndefined();
    rig.release({ ...rig.claim()[0]!, delayMs: 10 });
    expect(row()).toMatchObject({ id: rig.text(id!), attempts: 1, lastError: { message: 'first line' } });
  });
});

describe('queues', () => {
  const inQueue = (queue: string) => ({ shape: { ...SHAPE, queue } });

  it('come by name and in parts, also those that came after somebody looked', () => {
    const rig = new EngineRig();
    rig.enqueue(inQueue('d'), inQueue('b'), inQueue('b2'));
    const names = (after?: string, limit?: number) => rig.engine.queues(after, limit).map(({ name }) => name);
    expect(names()).toEqual(['b', 'b2', 'd']);
    rig.enqueue(inQueue('a'), inQueue('c'));
    expect(names()).toEqual(['a', 'b', 'b2', 'c', 'd']);
    expect([names('', 2), names('b', 2), names('bb', 2), names('c', 2), names('d', 2)]).toEqual([
      ['a', 'b'],
      ['b2', 'c'],
      ['c', 'd'],
      ['d'],
      [],
    ]);
  });

  it('are shown by name, those that there are', () => {
    const rig = new EngineRig();
    rig.enqueue(inQueue('b'), inQueue('a'), inQueue('c'));
    const [a, , c] = rig.engine.queues();
    expect(rig.engine.namedQueues(['a', 'aa', 'c'])).toEqual([a, c]);
    expect(rig.engine.namedQueues([])).toEqual([]);
  });

  it('share one throughput while nothing happens in them, so that nothing is computed for them', () => {
    const rig = new EngineRig();
    rig.enqueue(inQueue('idle'), inQueue('rests'), inQueue('works'));
    rig.advance(600_000);
    rig.enqueue(inQueue('works'));
    const [idle, rests, works] = rig.engine.queues().map(({ throughput }) => throughput);
    for (const kind of ['enqueued', 'completed', 'failed'] as const) expect(idle![kind]).toBe(rests![kind]);
    expect(works!.completed).toBe(idle!.completed);
    expect(works!.enqueued).not.toBe(idle!.enqueued);
  });
});

describe('job', () => {
  it('tells the whole history over reopens, oldest first, and where the record is', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ payload: '{"a":1}' });
    const startMs = rig.clock.now();
    rig.fail(rig.claim()[0]!, { retryInMs: 0 }, { class: 'A', message: 'm', stack: 's' });
    rig.release(rig.claim()[0]!);
    rig.claim({ leaseMs: 500, worker: 'w2' });
    rig.advance(500);
    rig.advance(1000);
    rig.claim({ worker: 'w3' });
    rig.reopen('closed');
    rig.advance(1000);
    rig.fail(rig.claim({ worker: 'w4' })[0]!, 'dead');
    rig.act('redrive', { ids: [rig.text(id!)] });
    rig.ack({ ...rig.claim()[0]!, result: new Uint8Array([7]) });
    const job = rig.job(id!)!;
    expect(job.attemptLog.map(({ attempt, outcome, worker }) => `${attempt} ${outcome} ${worker}`)).toEqual([
      '1 failed worker-1',
      '2 released worker-1',
      '2 leaseExpired w2',
      '3 processEnded w3',
      '4 failed w4',
      '1 completed worker-1',
    ]);
    expect(job.attemptLog[0]).toMatchObject({ startedAtMs: startMs, endedAtMs: startMs, error: { stack: 's' } });
    expect(job.acts).toMatchObject([{ act: 'redrive', actor: 'olga' }]);
    expect(job).toMatchObject({ state: 'completed', payload: '{"a":1}', payloadBytes: 7, result: new Uint8Array([7]) });
    expect(job.record).toMatchObject({ file: expect.stringMatching(/0000000001\.segment$/) });
    expect(rig.job(4711)).toBeUndefined();
    expect(rig.engine.job('nonsense')).toBeUndefined();
  });

  it('names file and place of a damaged record, and goes on', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ payload: '"mark me"' });
    rig.reopen('closed');
    rig.damage('"mark me"');
    expect(() => rig.job(id!)).toThrow(LogCorruptError);
    expect(rig.engine.browse({}, { limit: 1 }).rows).toHaveLength(1);
    expect(rig.fatal).toEqual([]);
  });
});

describe('queues and storage', () => {
  it('tell counts, the longest wait and what happened lately, also after a reopen', () => {
    const rig = new EngineRig();
    rig.enqueue({ shape: { ...SHAPE, queue: 'b' } });
    rig.enqueue({}, {}, { delayMs: 60_000 });
    const atMs = rig.clock.now();
    rig.ack(rig.claim({ limit: 1 })[0]!);
    rig.fail(rig.claim({ queues: ['b'] })[0]!);
    const look = () => {
      const [b, mail] = rig.engine.queues();
      expect(b).toMatchObject({ name: 'b', retrying: 1, counts: { scheduled: 1, ready: 0 } });
      expect(b!.throughput.failed.at(-1)).toBe(1);
      expect(mail).toMatchObject({ name: 'mail', retrying: 0, oldestReadyAtMs: atMs });
      expect(mail!.counts).toEqual({ scheduled: 1, ready: 1, leased: 0, completed: 1, dead: 0, cancelled: 0 });
      expect([mail!.throughput.enqueued.at(-1), mail!.throughput.completed.at(-1)]).toEqual([3, 1]);
    };
    look();
    rig.reopen('closed');
    look();
    const storage = rig.engine.storage();
    expect(storage).toMatchObject({
      kind: 'log',
      location: '/store',
      storeId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(storage.recovery).toMatchObject({ kind: 'clean', epoch: 2, recordsReplayed: 8 });
  });
});

describe('a log that makes no sense', () => {
  /** Writes one more record into a closed store, as a stranger would. */
  function append(kind: number, bodyBytes: number, flags: number, fill: (writer: BodyWriter) => void): EngineRig {
    const rig = new EngineRig();
    rig.enqueue({});
    rig.close();
    const { clock, random, files: fileSystem } = rig;
    const log = SegmentedLog.open(
      { directory: '/store', fileSystem, random, segmentBytes: 65_536, now: () => clock.now(), monotonicMs: () => 0 },
      { record: () => {}, nextId: () => 2 },
    );
    fill(new BodyWriter(log.reserve(kind, bodyBytes, flags)));
    log.write(2);
    log.close();
    return rig;
  }

  it.each([
    [
      'an ack of a job that is not leased',
      RECORD.release,
      40,
      (writer: BodyWriter) => writer.u64(1).u64(1).u64(1).u64(0).u64(1),
    ],
    [
      'a record of an unknown job',
      RECORD.release,
      40,
      (writer: BodyWriter) => writer.u64(1).u64(99).u64(1).u64(0).u64(1),
    ],
    ['a record that is too short', RECORD.release, 8, (writer: BodyWriter) => writer.u64(1)],
  ])('is refused: %s', (_, kind, bodyBytes, fill) => {
    const rig = append(kind, bodyBytes, 0, fill);
    const before = rig.disk.contents();
    expect(() => rig.reopen('killed')).toThrow(LogCorruptError);
    expect(rig.disk.contents()).toEqual(before);
  });

  it('is refused when it holds records of an unknown kind, unless they may be skipped', () => {
    expect(() => append(77, 8, 0, (writer) => writer.u64(1)).reopen('killed')).toThrow(LogVersionError);
    const rig = append(77, 8, 1, (writer) => writer.u64(1));
    rig.reopen('killed');
    expect(rig.claim()).toHaveLength(1);
  });
});
