import type { Enqueued, JobState } from '@holdfast/contract';
import type { CheckedJob } from './new-jobs.js';
import type { HolderRow } from './statements.js';

/** A live job that takes a key; one that this very call will store has a place in the call instead of a number. */
interface Holder {
  readonly number?: number;
  readonly place?: number;
  state: JobState;
}

/** How one job of the call is answered: by the number that it has, or that the job at this place will get. */
export interface PlannedAnswer extends Pick<Enqueued, 'state' | 'outcome'> {
  readonly number?: number;
  readonly place?: number;
}

/** What a call with dedupe keys has to do, decided in order of its jobs. The keys are locked meanwhile. */
export class DedupePlan {
  readonly inserts: CheckedJob[] = [];
  readonly replaces = new Map<number, CheckedJob>();
  readonly answers: PlannedAnswer[] = [];
  readonly #holders = new Map<string, Holder[]>();
  readonly #windows = new Map<string, number>();
  readonly #nowMs: number;

  /** @param windows keys of completed jobs, within their time */
  constructor(holders: readonly HolderRow[], windows: readonly Omit<HolderRow, 'state'>[], nowMs: number) {
    for (const { queue_id, key, number, state } of holders) {
      this.#holdersOf(keyName(queue_id, key)).push({ number, state });
    }
    for (const { queue_id, key, number } of windows) this.#windows.set(keyName(queue_id, key), number);
    this.#nowMs = nowMs;
  }

  add(job: CheckedJob, queueId: number): void {
    const state = this.#stateOf(job);
    if (job.dedupe === undefined) {
      this.answers.push({ place: this.inserts.push(job) - 1, state, outcome: 'created' });
      return;
    }
    const name = keyName(queueId, String(job.row.dedupe_key));
    const holders = this.#holdersOf(name);
    const holder = holders.findLast((other) => other.state !== 'leased') ?? holders.at(-1);
    const window = this.#windows.get(name);
    if (holder !== undefined) this.#conflict(job, job.dedupe.onConflict, holder, holders, state);
    else if (window !== undefined) this.answers.push({ number: window, state: 'completed', outcome: 'duplicate' });
    else this.#create(job, holders, state);
  }

  #conflict(job: CheckedJob, onConflict: string, holder: Holder, holders: Holder[], state: JobState): void {
    if (onConflict === 'runOnceMore' && holder.state === 'leased') this.#create(job, holders, state);
    else if (onConflict === 'replace' && holder.state !== 'leased') this.#replace(job, holder, state);
    else this.answers.push({ ...holder, outcome: 'duplicate' });
  }

  #create(job: CheckedJob, holders: Holder[], state: JobState): void {
    const place = this.inserts.push(job) - 1;
    holders.push({ place, state });
    this.answers.push({ place, state, outcome: 'created' });
  }

  #replace(job: CheckedJob, holder: Holder, state: JobState): void {
    if (holder.place !== undefined) this.inserts[holder.place] = job;
    else if (holder.number !== undefined) this.replaces.set(holder.number, job);
    holder.state = state;
    this.answers.push({ ...holder, outcome: 'replaced' });
  }

  #stateOf({ row }: CheckedJob): JobState {
    const waits = row.starts_at_ms === null ? Number(row.delay_ms) > 0 : Number(row.starts_at_ms) > this.#nowMs;
    return waits ? 'scheduled' : 'ready';
  }

  #holdersOf(name: string): Holder[] {
    const holders = this.#holders.get(name) ?? [];
    this.#holders.set(name, holders);
    return holders;
  }
}

export function keyName(queueId: number, key: string): string {
  return JSON.stringify([queueId, key]);
}
