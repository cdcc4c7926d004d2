import type { MovableStore, StoreContents, WholeJob } from '@holdfast/contract/moving';
import { expect } from 'vitest';
import { TcpProxy } from '../tcp-proxy.js';
import type { TrialOptions, TrialRig } from './trial-rig.js';

const JOBS = 700;
const KEPT_MS = 3_600_000;

export interface MovingRig<Transaction> extends TrialRig<Transaction> {
  readonly schema: string;
  query(text: string): Promise<unknown[]>;
}

export interface MovingSuite<Rig> {
  /** Of a server whose URL names none. */
  readonly port: number;
  /** @param url another way to the server */
  movable(rig: Rig, url?: string): MovableStore;
  /** Changes the row of a ready job, and gives up soon where it has to wait. @throws then */
  change(rig: Rig): Promise<unknown>;
  /** Works with a store that is read at this moment, in whatever way that can be done. */
  disturb(rig: Rig): Promise<unknown>;
  /** What that is noticed as. */
  readonly disturbed: 'MOVE_REFUSED' | 'MOVE_INTERRUPTED';
}

async function jobsOf(contents: StoreContents): Promise<WholeJob[]> {
  const jobs: WholeJob[] = [];
  for await (const some of contents.jobs()) jobs.push(...some);
  return jobs;
}

async function fill(rig: TrialRig<unknown>): Promise<void> {
  const store = await rig.open();
  await store.enqueue(Array.from({ length: JOBS }, (_, index) => ({ queue: 'q', name: 'n', payload: `${index}` })));
  await store.close();
}

/** What the tests of one suite move with. */
class Mover<Rig extends MovingRig<unknown>> {
  readonly suite: MovingSuite<Rig>;

  constructor(suite: MovingSuite<Rig>) {
    this.suite = suite;
  }

  /** Opens the stores for moves, by another way to their server if one is given, and closes them. */
  async moving<Answer>(
    rigs: readonly { readonly rig: Rig; readonly url?: string }[],
    work: (...stores: MovableStore[]) => Promise<Answer>,
  ): Promise<Answer> {
    const stores = rigs.map(({ rig, url }) => this.suite.movable(rig, url));
    try {
      return await work(...stores);
    } finally {
      for (const store of stores) await store.close();
    }
  }

  between<Answer>(
    source: Rig,
    target: Rig,
    work: (from: MovableStore, to: MovableStore) => Promise<Answer>,
  ): Promise<Answer> {
    return this.moving([{ rig: source }, { rig: target }], (from, to) => work(from!, to!));
  }
}

type Test = <Rig extends MovingRig<unknown>>(mover: Mover<Rig>, source: Rig, target: Rig) => Promise<void>;

const keepsOthersOut: Test = async (mover, source, target) => {
  await fill(source);
  await mover.between(source, target, async (from) => {
    await from.readWhole(() => expect(mover.suite.change(source)).rejects.toThrow());
    await mover.suite.change(source);
  });
};

const showsOneMoment: Test = async (mover, source, target) => {
  await fill(source);
  await mover.between(source, target, (from) =>
    from.readWhole(async (contents) => {
      const jobs = await jobsOf(contents);
      expect(jobs.map(({ payload }) => payload)).toEqual(Array.from({ length: JOBS }, (_, index) => `${index}`));
      await contents.requireUnchanged();
      await mover.suite.disturb(source);
      await expect(contents.requireUnchanged()).rejects.toMatchObject({ code: mover.suite.disturbed });
    }),
  );
};

const keepsNothingOfARefusedCopy: Test = async (mover, source, target) => {
  await fill(source);
  const reason = new Error('not as it should be');
  const refuse = async (copy: StoreContents) => {
    expect(await jobsOf(copy)).toHaveLength(JOBS);
    throw reason;
  };
  await mover.between(source, target, async (from, to) => {
    await expect(from.readWhole((contents) => to.take(contents, refuse))).rejects.toBe(reason);
    expect(await to.storeId()).toBeUndefined();
    const counted = await from.readWhole((contents) => to.take(contents, (copy) => copy.counts()));
    expect(counted.get('q')).toMatchObject({ ready: JOBS });
    expect(await to.storeId()).toBe(await from.storeId());
    await expect(from.readWhole((contents) => to.take(contents, refuse))).rejects.toMatchObject({
      code: 'MOVE_REFUSED',
      problem: 'is not empty',
    });
  });
};

const refusesASecondFiller: Test = async (mover, source, target) => {
  await fill(source);
  await mover.moving([{ rig: source }, { rig: target }, { rig: target }], (from, to, other) =>
    from!.readWhole((contents) =>
      to!.take(contents, async () => {
        await expect(other!.take(contents, async () => {})).rejects.toMatchObject({ code: 'MOVE_REFUSED' });
      }),
    ),
  );
};

const refusesWhatIsOpen: Test = async (mover, source, target) => {
  await fill(source);
  const withoutSession: TrialOptions = { session: false };
  await mover.between(source, target, async (from, to) => {
    const open = await target.open(withoutSession);
    await expect(from.readWhole((contents) => to.take(contents, async () => {}))).rejects.toMatchObject({
      code: 'MOVE_REFUSED',
      problem: expect.stringContaining('was opened before'),
    });
    const [job] = await open.enqueue([{ queue: 'q', name: 'n', payload: '' }]);
    expect(await open.job(job!.id)).toMatchObject({ id: job!.id });
    const later = await target.open(withoutSession);
    expect(await later.job(job!.id)).toMatchObject({ id: job!.id });
  });
};

const tellsOfALostIdentity: Test = async (mover, rig, target) => {
  await (await rig.open()).close();
  await rig.query(`update ${rig.schema}.meta set store_id = 'abc'`);
  await expect(rig.open()).rejects.toMatchObject({
    code: 'STORE_OPEN_FAILED',
    message: expect.stringContaining('Drop the schema'),
  });
  await rig.query(`delete from ${rig.schema}.meta`);
  const gone = { code: 'STORE_OPEN_FAILED', message: expect.stringContaining('drop the schema') };
  await expect(rig.open()).rejects.toMatchObject(gone);
  await mover.between(rig, target, (from) => expect(from.readWhole(async () => {})).rejects.toMatchObject(gone));
};

const countsOnBehindTheSource: Test = async (mover, source, target) => {
  const before = await source.open();
  const jobs = await before.enqueue(Array.from({ length: 5 }, () => ({ queue: 'q', name: 'n', payload: '' })));
  const claim = { queues: ['q'], limit: 2, leaseMs: KEPT_MS, worker: 'w' };
  const leased = await before.claim(claim);
  await before.ack(leased);
  await before.remove({ ids: jobs.map(({ id }) => id) }, { actor: 'a' });
  await before.close();
  await source.query(`delete from ${source.schema}.crew`);
  await mover.between(source, target, async (from, to) => {
    await from.readWhole((contents) => to.take(contents, async () => {}));
    // The copy is as far as the source, so what is made of the copy is too.
    const reach = async (store: MovableStore) => {
      const { rankFloorMs: _, ...counted } = await store.readWhole(async ({ identity }) => identity);
      return counted;
    };
    expect(await reach(to)).toEqual(await reach(from));
  });
  const after = await target.open();
  const fresh = await after.enqueue([{ queue: 'q', name: 'n', payload: '' }]);
  expect(jobs.map(({ id }) => id)).not.toContain(fresh[0]!.id);
  const [again] = await after.claim(claim);
  for (const { token } of leased) expect(again!.token > token).toBe(true);
  expect(await after.ack([again!])).toEqual(['ok']);
};

const tellsALossFromAWrongAddress: Test = async (mover, source, target) => {
  await fill(source);
  const { proxy, url } = await TcpProxy.before(source.url, mover.suite.port);
  const lost = { code: 'MOVE_INTERRUPTED', message: expect.stringContaining('was lost while it was moved') };
  const direct = [{ rig: source }, { rig: target }];
  try {
    await mover.moving([{ rig: source, url }, { rig: target }], async (from, to) => {
      const loseSource = async () => {
        proxy.down();
      };
      const failed = from!.readWhole((contents) =>
        to!.take(contents, async () => {
          await loseSource();
          await contents.requireUnchanged();
        }),
      );
      await expect(failed).rejects.toMatchObject(lost);
      await expect(from!.place()).rejects.toMatchObject(lost);
      expect(await to!.storeId()).toBeUndefined();
    });
    await mover.moving([{ rig: source, url }], (from) =>
      expect(from!.place()).rejects.toMatchObject({ code: 'STORE_FAILED' }),
    );
    proxy.up();
    await mover.moving([{ rig: source }, { rig: target, url }], async (from, to) => {
      const failed = from!.readWhole((contents) =>
        to!.take(contents, async (copy) => {
          proxy.down();
          await copy.counts();
        }),
      );
      await expect(failed).rejects.toMatchObject(lost);
      await expect(to!.storeId()).rejects.toMatchObject(lost);
    });
    await mover.moving(direct, async (from, to) => {
      expect(await to!.storeId()).toBeUndefined();
      const again = from!.readWhole((contents) => to!.take(contents, (copy) => copy.counts()));
      expect((await again).get('q')).toMatchObject({ ready: JOBS });
    });
  } finally {
    await proxy.close();
  }
};

const TESTS: readonly (readonly [name: string, test: Test])[] = [
  ['lets nobody change a job while it reads, also who holds no session', keepsOthersOut],
  ['shows all jobs of one moment in the order of their numbers, and notices who works meanwhile', showsOneMoment],
  ['keeps nothing of a copy that is refused, and passes the reason on', keepsNothingOfARefusedCopy],
  ['refuses another one that would fill the same schema', refusesASecondFiller],
  ['refuses a schema that a process has open, though nothing is in it and that keeps no session', refusesWhatIsOpen],
  ['says what to do with a schema whose own row is gone or is none of a store', tellsOfALostIdentity],
  ['counts on behind all that the source gave out, also to jobs that are gone', countsOnBehindTheSource],
  ['tells a server that is lost midway from one whose address is wrong', tellsALossFromAWrongAddress],
];

/** @param overRigs registers a test over two places, in which nothing is yet */
export function exerciseMoving<Rig extends MovingRig<unknown>>(
  overRigs: (name: string, test: (source: Rig, target: Rig) => Promise<void>) => void,
  suite: MovingSuite<Rig>,
): void {
  const mover = new Mover(suite);
  for (const [name, test] of TESTS) overRigs(name, (source, target) => test(mover, source, target));
}
