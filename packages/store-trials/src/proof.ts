import { setTimeout as pause } from 'node:timers/promises';
import type { JobStore } from '@holdfast/contract';
import { SeededRandom } from '@holdfast/testing';
import { type ReadableStore, type StoreAccount, storeAccount } from './store-account.js';
import { WorkerProcess } from './worker-process.js';

/** What is done to the workers while they work: nothing, SIGKILL of one after the other, or the end of their connections. */
export type Fault = 'none' | 'kill' | 'terminate';

/** A store on a database of its own. */
export interface ProofRig extends ReadableStore {
  /** Opens it in this process, which sweeps ten times a second. */
  open(): Promise<JobStore>;
  /** Lets the server end two connections of workers. */
  terminate(): Promise<void>;
  readonly worker: WorkerOpening;
}

/** How a worker process opens the store: the URL of a module, what is called in it, and with what. */
export interface WorkerOpening {
  readonly module: string;
  readonly open: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface ProofPlan {
  readonly jobs: number;
  readonly workers: number;
  readonly fault: Fault;
  readonly seed: number;
}

export interface ProofFigures extends StoreAccount {
  /** As the workers saw them. */
  readonly starts: number;
  /** Starts under a token that was seen before: two workers with one lease. */
  readonly sharedLeases: number;
  /** Jobs that were acknowledged with `ok` under more than one token. */
  readonly completedTwice: number;
  readonly faults: number;
  readonly seconds: number;
}

const ENQUEUE_JOBS = 2000;
const FAULT_MS_MIN = 100;
const FAULT_MS_RANGE = 400;
const LOOK_MS = 100;
const JOB = {
  queue: 'proof',
  name: 'count',
  payload: '{}',
  maxAttempts: null,
  backoff: { kind: 'fixed', baseMs: 0, maxMs: 0, jitter: 'none' },
} as const;

/** The arithmetic proof: so many jobs, so many processes, and afterwards every start is accounted for. */
export async function prove(rig: ProofRig, plan: ProofPlan): Promise<ProofFigures> {
  const store = await rig.open();
  for (let left = plan.jobs; left > 0; left -= ENQUEUE_JOBS) {
    await store.enqueue(Array.from({ length: Math.min(left, ENQUEUE_JOBS) }, () => JOB));
  }
  const crew = new Crew(rig, plan);
  const startedAtMs = performance.now();
  crew.begin();
  const done = async () => ((await store.queues())[0]?.counts.completed ?? 0) >= plan.jobs;
  const faults = crew.trouble();
  while (!(await done())) await pause(LOOK_MS);
  const seconds = (performance.now() - startedAtMs) / 1000;
  await crew.end();
  const { starts, sharedLeases, completedTwice } = crew.account();
  return {
    ...(await storeAccount(rig, JOB.queue)),
    starts,
    sharedLeases,
    completedTwice,
    faults: await faults,
    seconds,
  };
}

/** The worker processes, and what they say. */
class Crew {
  readonly #rig: ProofRig;
  readonly #plan: ProofPlan;
  readonly #random: SeededRandom;
  readonly #tokens = new Set<string>();
  readonly #completions = new Map<string, Set<string>>();
  readonly #gone: Promise<void>[] = [];
  #workers: WorkerProcess[] = [];
  #hired = 0;
  #starts = 0;
  #sharedLeases = 0;
  #ended = false;

  constructor(rig: ProofRig, plan: ProofPlan) {
    this.#rig = rig;
    this.#plan = plan;
    this.#random = new SeededRandom(plan.seed);
  }

  begin(): void {
    this.#workers = Array.from({ length: this.#plan.workers }, () => this.#hire());
  }

  /** Until the end. @returns how often something was done */
  async trouble(): Promise<number> {
    const { fault } = this.#plan;
    for (let faults = 0; ; faults++) {
      await pause(FAULT_MS_MIN + this.#random.below(FAULT_MS_RANGE));
      if (fault === 'none' || this.#ended) return faults;
      if (fault === 'terminate') await this.#rig.terminate();
      else this.#replaceOne();
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    for (const worker of this.#workers) worker.finish();
    await Promise.all([...this.#gone, ...this.#workers.map(({ ended }) => ended)]);
  }

  account() {
    const completedTwice = [...this.#completions.values()].filter(({ size }) => size > 1).length;
    return { starts: this.#starts, sharedLeases: this.#sharedLeases, completedTwice };
  }

  #hire(): WorkerProcess {
    const name = `worker-${this.#hired++}`;
    const { module, open, options } = this.#rig.worker;
    return new WorkerProcess([module, open, JSON.stringify(options), name], (line) => this.#hear(line.split(' ')));
  }

  #hear([what, id = '', token = '', answer]: string[]): void {
    if (what === 'start') {
      this.#starts++;
      if (this.#tokens.has(token)) this.#sharedLeases++;
      this.#tokens.add(token);
    }
    if (what === 'acked' && answer === 'ok')
      this.#completions.set(id, (this.#completions.get(id) ?? new Set()).add(token));
  }

  #replaceOne(): void {
    const index = this.#random.below(this.#workers.length);
    const [victim] = this.#workers.splice(index, 1, this.#hire());
    if (victim === undefined) return;
    victim.kill();
    this.#gone.push(victim.ended);
  }
}

/** What is wrong with the figures, in words; nothing where the proof holds. */
export function faultsOf(plan: ProofPlan, figures: ProofFigures): string[] {
  const { completed, attempts, expired, unexplained, starts, sharedLeases, completedTwice } = figures;
  const claims: readonly (readonly [boolean, string])[] = [
    [completed === plan.jobs, `${completed} of ${plan.jobs} jobs completed`],
    [
      attempts === plan.jobs + expired,
      `${attempts} attempts, but ${plan.jobs} jobs and ${expired} leases that ran out`,
    ],
    [unexplained === 0, `${unexplained} jobs with an attempt that nothing explains`],
    [sharedLeases === 0, `${sharedLeases} leases were given to two workers`],
    [completedTwice === 0, `${completedTwice} jobs were completed under two tokens`],
    // A worker that is killed, or that loses its answer, does not say all that it was given.
    [starts <= attempts, `${starts} starts, but ${attempts} attempts`],
    [
      plan.fault !== 'none' || (expired === 0 && starts === plan.jobs),
      `${starts} starts and ${expired} expiries without a fault`,
    ],
  ];
  return claims.filter(([holds]) => !holds).map(([, problem]) => problem);
}
