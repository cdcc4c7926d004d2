import type { CheckReport } from './check-report.js';
import { HistoryChecker } from './history-checker.js';
import type { ActKind, HistoryEvent, JobAsked, JobDelivered, SettleKind, StoreRow } from './history-event.js';
import type { CheckOptions } from './ledger.js';

const QUEUE = 'mail';

/** Writes histories by hand, a few words an event. Time goes on by 10 ms with each of them. */
export class Story {
  readonly #events: HistoryEvent[] = [];
  #atMs = 1_000_000;
  #call = 0;
  #epoch = 0;
  #rows: StoreRow[] = [];

  pass(ms: number): this {
    this.#atMs += ms;
    return this;
  }

  /** An open that shows these jobs. */
  open(
    rows: readonly (Partial<StoreRow> & { readonly id: string; readonly state: string })[] = [],
    epoch = this.#epoch + 1,
    storeId = 's',
  ): this {
    this.#epoch = epoch;
    this.#add({ event: 'started', pid: 1 });
    const recovery = epoch === 1 ? 'new' : 'unclean';
    this.#add({
      event: 'opened',
      storeId,
      epoch,
      recovery,
      tornBytes: 0,
      leasesEnded: 0,
      firstSegment: 1,
      bytes: 0,
      wallMs: this.#atMs,
    });
    this.#rows = rows.map((row) => ({ event: 'row', queue: QUEUE, priority: 0, attempts: 0, maxAttempts: 3, ...row }));
    for (const row of this.#rows) this.#add(row);
    const counts: Record<string, number> = {};
    for (const { state } of this.#rows) counts[state] = (counts[state] ?? 0) + 1;
    return this.#add({ event: 'counts', counts: { [QUEUE]: counts } });
  }

  /** Replaces the counts of the open before. */
  counting(counts: Readonly<Record<string, number>>): this {
    this.#events.pop();
    return this.#add({ event: 'counts', counts: { [QUEUE]: counts } });
  }

  /** @returns the number of the call, for an answer that comes later */
  asksToEnqueue(...keys: readonly string[]): number {
    return this.asksToEnqueueWith({}, ...keys);
  }

  asksToEnqueueWith(asked: Partial<JobAsked>, ...keys: readonly string[]): number {
    const jobs = keys.map((key) => ({ ...seen(key), queue: QUEUE, priority: 0, maxAttempts: 3, delayMs: 0, ...asked }));
    this.#add({ event: 'enqueue', call: ++this.#call, wallMs: this.#atMs, jobs });
    return this.#call;
  }

  enqueued(call: number, ...ids: readonly string[]): this {
    return this.#add({ event: 'enqueued', call, ids });
  }

  /** Jobs whose keys are their ids. */
  enqueue(...ids: readonly string[]): this {
    return this.enqueued(this.asksToEnqueue(...ids), ...ids);
  }

  asksToClaim(leaseMs = 1000): number {
    this.#add({ event: 'claim', call: ++this.#call, queues: [QUEUE], leaseMs });
    return this.#call;
  }

  claimed(
    call: number,
    ...jobs: readonly (Partial<JobDelivered> & { readonly id: string; readonly token: string })[]
  ): this {
    const delivered = jobs.map((job) => ({
      ...seen(job.id),
      attempt: 1,
      queue: QUEUE,
      priority: 0,
      maxAttempts: 3,
      ...job,
    }));
    return this.#add({ event: 'claimed', call, wallMs: this.#atMs, jobs: delivered });
  }

  claim(...jobs: readonly (Partial<JobDelivered> & { readonly id: string; readonly token: string })[]): this {
    return this.claimed(this.asksToClaim(), ...jobs);
  }

  asksTo(
    kind: SettleKind,
    id: string,
    token: string,
    more: { readonly dead?: boolean; readonly leaseMs?: number } = {},
  ): number {
    this.#add({ event: 'settle', call: ++this.#call, kind, items: [{ id, token }], ...more });
    return this.#call;
  }

  settled(call: number, answer: string): this {
    return this.#add({ event: 'settled', call, answers: [answer] });
  }

  settle(
    kind: SettleKind,
    id: string,
    token: string,
    answer = 'ok',
    more: { readonly dead?: boolean; readonly leaseMs?: number } = {},
  ): this {
    return this.settled(this.asksTo(kind, id, token, more), answer);
  }

  asksToAct(kind: ActKind, id: string): number {
    this.#add({ event: 'act', call: ++this.#call, kind, id });
    return this.#call;
  }

  acted(call: number, done = true): this {
    return this.#add({ event: 'acted', call, done });
  }

  act(kind: ActKind, id: string): this {
    return this.acted(this.asksToAct(kind, id));
  }

  failed(call: number, outcome: 'rejected' | 'unknown'): this {
    return this.#add({ event: 'failed', call, outcome, code: 'STORE_FAILED' });
  }

  health(status: string): this {
    return this.#add({ event: 'health', status });
  }

  close(): this {
    return this.#add({ event: 'closed' }).end('exit');
  }

  end(how: 'exit' | 'killed' | 'power' = 'killed'): this {
    return this.#add({ event: 'ended', how });
  }

  check(options: Partial<CheckOptions> = {}): CheckReport {
    const checker = new HistoryChecker(options);
    for (const event of this.#events) checker.take(event);
    return checker.finish();
  }

  #add(event: DistributiveOmit<HistoryEvent, 'atMs'>): this {
    this.#atMs += 10;
    this.#events.push({ atMs: this.#atMs, ...event } as HistoryEvent);
    return this;
  }
}

type DistributiveOmit<Union, Key extends string> = Union extends unknown ? Omit<Union, Key> : never;

function seen(key: string) {
  return { key, hash: `hash of ${key}` };
}
