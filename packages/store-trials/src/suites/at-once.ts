import { setTimeout as pause } from 'node:timers/promises';
import { HoldfastError, type JobStore, type LeasedJob, type NewJob } from '@holdfast/contract';
import { chooseSeed, SeededRandom } from '@holdfast/testing';
import { expect } from 'vitest';
import { disagreements, type ReadableStore } from '../store-account.js';
import type { TrialRig } from './trial-rig.js';

export type ReadableRig<Transaction> = TrialRig<Transaction> & ReadableStore;

export interface AtOnceSuite<Transaction> {
  readonly overRig: (name: string, test: (rig: ReadableRig<Transaction>) => Promise<void>, timeoutMs?: number) => void;
  /** Lets the server end some connections of this store's. */
  readonly endConnections: (rig: ReadableRig<Transaction>) => Promise<void>;
}

const QUEUES = ['mail', 'print', 'scan'] as const;
const PROCESSES = 4;
const LOOPS_EACH = 4;
/** By hand: HOLDFAST_AT_ONCE_SECONDS=60. A seed repeats the calls of each loop, not how they meet. */
const SECONDS = Number(process.env.HOLDFAST_AT_ONCE_SECONDS ?? 2);
const TEST_MS = SECONDS * 1000 + 60_000;
const TROUBLE_EVERY_MS = 150;
const LIVE_MAX = 400;
/** So few are kept that some are forgotten all the time. */
const RETENTION = { completed: { count: 20 }, cancelled: { count: 20 }, dead: { count: 20 } };
const BY = { actor: 'olga' };

/** Everything at once that takes jobs from one place to another, and afterwards every job is in one place, and every count is right. */
export function exerciseAtOnce<Transaction>({ overRig, endConnections }: AtOnceSuite<Transaction>): void {
  const seed = chooseSeed();
  overRig(
    `every call at once leaves each job in one place, and every count right (HOLDFAST_SEED=${seed})`,
    async (rig) => {
      const crowd = new Crowd(rig, seed);
      await crowd.run(SECONDS * 1000);
      expect(crowd.surprises).toEqual([]);
      expect(await disagreements(rig)).toEqual([]);
      expect(await crowd.miscounts()).toEqual([]);
    },
    TEST_MS,
  );

  overRig(
    `every call at once, and connections that end in the middle of them (HOLDFAST_SEED=${seed})`,
    async (rig) => {
      const crowd = new Crowd(rig, seed);
      await crowd.run(SECONDS * 1000, () => endConnections(rig));
      expect(crowd.surprises).toEqual([]);
      expect(await disagreements(rig)).toEqual([]);
    },
    TEST_MS,
  );
}

/** Callers that know of each other's jobs, and of nothing that became of them. */
class Crowd {
  readonly surprises: string[] = [];
  readonly #rig: ReadableRig<unknown>;
  readonly #seed: number;
  readonly #tokens = new Set<string>();
  readonly #completed = new Set<string>();
  readonly #counted = { enqueued: 0, claimed: 0, completed: 0 };
  #ids: string[] = [];
  #held: LeasedJob[] = [];
  #untilMs = 0;
  #isTroubled = false;

  constructor(rig: ReadableRig<unknown>, seed: number) {
    this.#rig = rig;
    this.#seed = seed;
  }

  /** @param trouble what is done again and again meanwhile */
  async run(forMs: number, trouble?: () => Promise<void>): Promise<void> {
    this.#isTroubled = trouble !== undefined;
    const stores: JobStore<unknown>[] = [];
    for (let opened = 0; opened < PROCESSES; opened++)
      stores.push(await this.#rig.open({ sweepMs: 100, retention: RETENTION }));
    this.#untilMs = performance.now() + forMs;
    const loops = stores.flatMap((store, place) =>
      Array.from({ length: LOOPS_EACH }, (_, loop) =>
        this.#loop(store, new SeededRandom(this.#seed + place * 100 + loop)),
      ),
    );
    await Promise.all([...loops, trouble === undefined ? undefined : this.#makeTrouble(trouble)]);
  }

  /** One after the other: what makes trouble has a connection too. Over when the calls are, so that nothing troubles the account afterwards. */
  async #makeTrouble(trouble: () => Promise<void>): Promise<void> {
    while (performance.now() < this.#untilMs) {
      await trouble().catch(() => {});
      // How often, not until when.
      await pause(TROUBLE_EVERY_MS);
    }
  }

  /** What the store says it did, beside what its callers were told. Right only where no call failed. */
  async miscounts(): Promise<string[]> {
    const { schema } = this.#rig;
    const found: string[] = [];
    for (const [name, count] of Object.entries(this.#counted)) {
      const [row] = await this.#rig.query<{ said: number | string }>(
        `select coalesce(sum(total_${name}), 0) as said from (select total_${name} from ${schema}.queue_count
          union all select total_${name} from ${schema}.ledger) c`,
      );
      if (Number(row?.said) !== count) found.push(`${name}: callers saw ${count}, the store says ${row?.said}`);
    }
    return found;
  }

  async #loop(store: JobStore<unknown>, random: SeededRandom): Promise<void> {
    const calls = [
      ...[this.#enqueue, this.#enqueue, this.#enqueueKeyed, this.#enqueueKeyed, this.#enqueueIn, this.#clone],
      ...[this.#claim, this.#claim, this.#claim, this.#settle, this.#settle, this.#settle],
      ...[this.#act, this.#act, this.#act, this.#act, this.#act, this.#actOnAll],
    ];
    while (performance.now() < this.#untilMs) {
      try {
        await random.pick(calls).call(this, store, random);
      } catch (error) {
        // Whoever lost a connection knows only that the call may be done.
        const isLost = this.#isTroubled && error instanceof HoldfastError && error.code === 'STORE_FAILED';
        if (!isLost) this.surprises.push(String((error as Error).stack));
      }
    }
  }

  async #enqueue(store: JobStore<unknown>, random: SeededRandom): Promise<void> {
    const jobs = Array.from({ length: 1 + random.below(4) }, () => jobOf(random));
    this.#note(await store.enqueue(jobs));
  }

  async #enqueueKeyed(store: JobStore<unknown>, random: SeededRandom): Promise<void> {
    this.#note(await store.enqueue(Array.from({ length: 1 + random.below(3) }, () => keyedJobOf(random))));
  }

  async #enqueueIn(store: JobStore<unknown>, random: SeededRandom): Promise<void> {
    const { transaction, commit, rollback } = await this.#rig.begin();
    try {
      const answers = await store.enqueue([random.chance(0.5) ? keyedJobOf(random) : jobOf(random)], { transaction });
      if (random.chance(0.5)) return await rollback();
      await commit();
      this.#note(answers);
    } catch (error) {
      await rollback().catch(() => {});
      // What the caller's own library says: a deadlock, or that the connection is lost.
      if (!(error instanceof HoldfastError) && (this.#isTroubled || /deadlock/i.test(String(error)))) return;
      throw error;
    }
  }

  async #clone(store: JobStore<unknown>, random: SeededRandom): Promise<void> {
    if (this.#ids.length === 0 || this.#ids.length > LIVE_MAX) return;
    const answer = await store.clone(random.pick(this.#ids), BY);
    if (answer !== undefined) this.#note([answer]);
  }

  async #claim(store: JobStore<unknown>, random: SeededRandom): Promise<void> {
    const queues = random.chance(0.5) ? QUEUES : [random.pick(QUEUES)];
    const leaseMs = random.chance(0.2) ? 100 : 60_000;
    const leases = await store.claim({ queues, limit: 1 + random.below(8), leaseMs, worker: `w${random.below(3)}` });
    this.#counted.claimed += leases.length;
    for (const lease of leases) {
      if (this.#tokens.has(lease.token)) this.surprises.push(`token ${lease.token} was given out twice`);
      if (this.#completed.has(lease.id)) this.surprises.push(`${lease.id} was leased after it completed`);
      if (!(queues as readonly string[]).includes(lease.queue))
        this.surprises.push(`${lease.id} came from ${lease.queue}`);
      if (lease.payload !== payloadOf(lease.name)) this.surprises.push(`${lease.id} has the payload of another job`);
      this.#tokens.add(lease.token);
    }
    this.#held.push(...leases);
  }

  async #settle(store: JobStore<unknown>, random: SeededRandom): Promise<void> {
    const leases = this.#held.splice(0, 1 + random.below(6)).map(({ id, token }) => ({ id, token }));
    const error = { class: `E${random.below(3)}`, message: 'no' };
    const how = random.below(8);
    if (how < 3) return this.#ack(store, leases);
    if (how === 3) await store.release(leases.map((lease) => ({ ...lease, delayMs: random.pick([0, 50]) })));
    else if (how === 4) {
      await store.extend(leases.map((lease) => ({ ...lease, leaseMs: 60_000 })));
      await store.note?.(leases.map((lease) => ({ ...lease, progress: '1', lines: [{ atMs: 1, text: 'one' }] })));
      this.#held.push(...(leases as LeasedJob[]));
    } else {
      const ends = leases.map((lease) => {
        const end = random.pick(['backoff', 'dead', 'cancel'] as const);
        // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
        return { ...lease, error, then: end };
      });
      await store.fail(ends);
    }
  }

  async #ack(store: JobStore<unknown>, leases: readonly { readonly id: string; readonly token: string }[]) {
    const answers = await store.ack(leases);
    for (const [index, { id }] of leases.entries()) {
      if (answers[index] !== 'ok') continue;
      this.#counted.completed++;
      if (this.#completed.has(id)) this.surprises.push(`${id} completed twice`);
      this.#completed.add(id);
    }
  }

  async #act(store: JobStore<unknown>, random: SeededRandom): Promise<void> {
    if (this.#ids.length === 0) return;
    const ids = Array.from({ length: 1 + random.below(6) }, () => random.pick(this.#ids));
    await actOn(store, random, { ids });
    if (this.#ids.length > LIVE_MAX) this.#ids = this.#ids.slice(-LIVE_MAX / 2);
  }

  async #actOnAll(store: JobStore<unknown>, random: SeededRandom): Promise<void> {
    const state = random.pick(['ready', 'scheduled', 'leased', 'completed', 'dead', 'cancelled'] as const);
    const all = { state, queue: random.pick(QUEUES) };
    if (random.chance(0.5) || store.plan === undefined) return actOn(store, random, { all });
    const { asOf } = await store.plan({ all });
    await actOn(store, random, { all, asOf, limit: 20 });
  }

  #note(answers: readonly { readonly id: string; readonly outcome: string }[]): void {
    const created = answers.filter(({ outcome }) => outcome === 'created').map(({ id }) => id);
    // One job of a call may replace another one of it, which then was never stored.
    this.#counted.enqueued += new Set(created).size;
    this.#ids.push(...created);
  }
}

async function actOn(
  store: JobStore<unknown>,
  random: SeededRandom,
  which: Parameters<JobStore['cancel']>[0],
): Promise<void> {
  const how = random.below(12);
  if (how < 5) await store.transfer?.(which, random.pick(QUEUES), BY);
  else if (how < 7) await store.remove(which, BY);
  else if (how < 8) await store.cancel(which, BY);
  else if (how < 9) await store.runNow(which, BY);
  else if (how < 10) await store.reprioritise(which, random.below(3), BY);
  else await store.redrive(which, BY);
}

function payloadOf(name: string): string {
  return JSON.stringify({ of: name });
}

function jobOf(random: SeededRandom): NewJob {
  const name = `job-${random.below(5)}`;
  const backoff = { kind: 'fixed', baseMs: random.pick([0, 50]), maxMs: 50, jitter: 'none' } as const;
  const start = random.pick([{}, {}, { delayMs: 50 }, { delayMs: 60_000 }, { expiresInMs: 200 }]);
  return {
    queue: random.pick(QUEUES),
    name,
    payload: payloadOf(name),
    priority: random.below(3),
    backoff,
    maxAttempts: 2,
    ...start,
  };
}

/** A key that begins with `once` never has two live jobs: see `disagreements`. */
function keyedJobOf(random: SeededRandom): NewJob {
  const isOnce = random.chance(0.7);
  const onConflict = isOnce ? random.pick(['keep', 'replace', 'replace'] as const) : ('runOnceMore' as const);
  const key = `${isOnce ? 'once' : 'more'}-${random.below(4)}`;
  return { ...jobOf(random), dedupe: { key, onConflict, ...(random.chance(0.3) ? { forMs: 200 } : {}) } };
}
