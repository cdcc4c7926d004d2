import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, JobState, Random } from '@holdfast/contract';
import type { LogStore } from '@holdfast/core';
import { openInThreadStore } from '@holdfast/core/in-thread';
import { NodeFileSystem } from '@holdfast/core/log';

const QUEUES = ['mail', 'files'];
const STEP_MS = 700;

/** Numbers from a seed: the same seed gives the same run. */
export class Dice implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 up to below `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}

/** Stands still but for what the test adds; no timer fires. */
class StillClock implements Clock {
  elapsedMs = 0;

  now(): number {
    return 1_790_000_000_000 + this.elapsedMs;
  }

  monotonicMs(): number {
    return this.elapsedMs;
  }

  setTimer() {
    return { brand: 'timer' } as const;
  }

  clearTimer(): void {}
}

export interface JobFacts {
  readonly state: JobState;
  readonly payload: string;
}

/** A log after a random life over several opens, cut off without a close, and each job as its engine saw it last. */
export async function makeRandomLog(
  parent: string,
  dice: Dice,
): Promise<{ directory: string; jobs: Map<string, JobFacts> }> {
  const clock = new StillClock();
  const payloads = new Map<string, string>();
  let directory = join(parent, 'log-0');
  for (let life = 1; ; life++) {
    const store = await open(directory, clock, dice);
    for (let steps = 5 + dice.below(15); steps > 0; steps--) await step(store, clock, dice, payloads);
    // So that all of it is proven to have been durable.
    for (let proof = 0; proof < 2; proof++) await enqueue(store, 1, dice, payloads);
    const isLast = life === 3;
    const isCut = isLast || dice.below(2) === 0;
    const states = isLast ? await statesOf(store) : undefined;
    const next = join(parent, `log-${life}`);
    if (isCut) cpSync(directory, next, { recursive: true });
    await store.close();
    if (!isCut) cpSync(directory, next, { recursive: true });
    directory = next;
    if (states === undefined) continue;
    const jobs = [...states].map(([id, state]) => [id, { state, payload: payloads.get(id) ?? '' }] as const);
    return { directory, jobs: new Map(jobs) };
  }
}

export function open(directory: string, clock: Clock, random: Random): Promise<LogStore> {
  return openInThreadStore({ directory, fileSystem: new NodeFileSystem(), clock, random, segmentBytes: 4096 });
}

export async function openStill(directory: string, random: Random = new Dice(1)): Promise<LogStore> {
  return open(directory, new StillClock(), random);
}

export async function statesOf(store: LogStore): Promise<Map<string, JobState>> {
  const states = new Map<string, JobState>();
  for (let cursor: string | undefined; ; ) {
    const page = await store.browse({}, { limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    for (const { id, state } of page.rows) states.set(id, state);
    cursor = page.next;
    if (cursor === undefined) return states;
  }
}

async function step(store: LogStore, clock: StillClock, dice: Dice, payloads: Map<string, string>): Promise<void> {
  clock.elapsedMs += dice.below(STEP_MS);
  if (dice.below(3) === 0) await enqueue(store, 1 + dice.below(6), dice, payloads);
  const leased = await store.claim({ queues: QUEUES, limit: 1 + dice.below(5), leaseMs: 3_600_000, worker: 'w' });
  for (const { id, token } of leased) {
    const error = { class: 'Error', message: 'm'.repeat(dice.below(40)) };
    const fate = dice.below(6);
    if (fate < 2) await store.ack([{ id, token, result: 'r'.repeat(dice.below(20)) }]);
    // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
    if (fate === 2) await store.fail([{ id, token, error, then: 'dead' }]);
    // biome-ignore lint/suspicious/noThenProperty: as above
    if (fate === 3) await store.fail([{ id, token, error, then: 'backoff' }]);
    if (fate === 4) await store.release([{ id, token }]);
  }
  if (dice.below(4) === 0) await store.redrive({ all: { state: 'dead' } }, { actor: 'a' });
}

async function enqueue(store: LogStore, count: number, dice: Dice, payloads: Map<string, string>): Promise<void> {
  const jobs = Array.from({ length: count }, () => ({
    queue: QUEUES[dice.below(2)] ?? '',
    name: 'n',
    payload: JSON.stringify({ at: dice.fraction(), text: 'x'.repeat(dice.below(300)) }),
    ...(dice.below(6) === 0 ? { dedupe: { key: `key ${dice.below(3)}`, forMs: 5000 } } : {}),
  }));
  const requestId = `request ${dice.fraction()}`;
  const answers = await store.enqueue(jobs, dice.below(3) === 0 ? { requestId } : undefined);
  for (const [index, { id, outcome }] of answers.entries()) {
    if (outcome === 'created') payloads.set(id, jobs[index]?.payload ?? '');
  }
}
