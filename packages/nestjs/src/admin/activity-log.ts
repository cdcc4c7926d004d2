import { randomUUID } from 'node:crypto';
import type { ActivityEntry, ActOutcome, AdminRole, Clock, Enqueued, JobDetail, JobStore } from '@holdfast/contract';
import { HoldfastError } from '@holdfast/contract';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ADMIN_CLOCK } from './admin-clock.js';
import { QueueLooks } from './queue-looks.js';

export const ACTIVITY_QUEUE = 'holdfast.activity';
export const ACTIVITY_KEPT = { ageMs: 90 * 86_400_000, count: 10_000 } as const;

/** An entry waits until shortly before it is too old; nobody claims jobs of this queue. */
const SPARE_MS = 60_000;
const TRIM_EVERY = 100;
const PAGE_ROWS = 200;

/** An entry that is under way: the same key writes it anew. */
export interface BegunEntry {
  readonly key: string;
  readonly entry: KeptEntry;
}

/** As the store keeps it. */
export type KeptEntry = Omit<ActivityEntry, 'id'>;

type Ended = Pick<ActivityEntry, 'status' | 'outcome' | 'cloned' | 'error' | 'uncertain'>;

/** Who acts, and why. */
export interface ActingPerson {
  readonly actor: string;
  readonly role: AdminRole;
  readonly reason?: string;
}

/**
 * What operators did, kept in the store itself as jobs of a queue that nobody works on: so it is as durable as the jobs, over every
 * store. An entry is there before its act begins.
 */
@Injectable()
export class ActivityLog {
  readonly #store: JobStore;
  readonly #looks: QueueLooks;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger = new Logger('HoldfastAdmin');
  #written = 0;

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    looks: QueueLooks,
    @Inject(ADMIN_CLOCK) clock: Pick<Clock, 'now'>,
  ) {
    this.#store = store;
    this.#looks = looks;
    this.#clock = clock;
  }

  /** Notes an act, does it, and notes how it ended. Its error is the error of the act. */
  async record<Answer>(
    by: ActingPerson,
    act: string,
    target: ActivityEntry['target'],
    run: () => Promise<Answer>,
    outcomeOf: (answer: Answer) => ActOutcome | undefined,
  ): Promise<Answer> {
    const begun = await this.begin(by, act, target);
    return this.carryOut(begun, run, (answer) => {
      const outcome = outcomeOf(answer);
      return outcome === undefined ? {} : { outcome };
    });
  }

  /** Does an act that has begun, and notes how it ended. */
  async carryOut<Answer>(
    begun: BegunEntry,
    run: () => Promise<Answer>,
    notedOf: (answer: Answer) => Pick<ActivityEntry, 'outcome' | 'cloned'>,
  ): Promise<Answer> {
    const answer = await run().catch(async (error: unknown) => {
      await this.#end(begun, failedWith(error));
      throw error;
    });
    // Where this fails the act was done: its entry stays `begun`, which says that nobody knows.
    await this.#end(begun, { status: 'done', ...notedOf(answer) });
    return answer;
  }

  /** An entry with this key that is there already stays as it is. */
  async begin(
    by: ActingPerson,
    act: string,
    target: ActivityEntry['target'],
    key: string = randomUUID(),
  ): Promise<BegunEntry> {
    return (await this.beginOnce(by, act, target, key)).begun;
  }

  /** @returns also the entry with this key that is there already: it stays as it is */
  async beginOnce(
    by: ActingPerson,
    act: string,
    target: ActivityEntry['target'],
    key: string,
  ): Promise<{ begun: BegunEntry; before?: KeptEntry }> {
    const entry = { atMs: this.#clock.now(), ...by, act, target, status: 'begun' as const };
    const begun = { key, entry };
    const written = await this.#write(begun, 'keep');
    // The first one, too: a process may not live for so many acts.
    if (this.#written++ % TRIM_EVERY === 0) await this.#trim();
    const before = written?.outcome === 'duplicate' ? await this.#store.job(written.id) : undefined;
    return before === undefined ? { begun } : { begun, before: contents(before) };
  }

  async end(begun: BegunEntry, outcome: ActOutcome | undefined, error?: string): Promise<void> {
    const ended = error === undefined ? { status: 'done' as const } : { status: 'failed' as const, error };
    await this.#end(begun, { ...ended, ...(outcome === undefined ? {} : { outcome }) });
  }

  async #end({ key, entry }: BegunEntry, ended: Ended): Promise<void> {
    // Also after an error: a part may have been done.
    this.#looks.forget();
    await this.#write({ key, entry: { ...entry, ...ended } }, 'replace');
  }

  /** Newest first. @throws CursorInvalidError */
  async list(limit: number, cursor: string | undefined): Promise<{ entries: ActivityEntry[]; next?: string }> {
    const filter = { queue: ACTIVITY_QUEUE, state: 'scheduled' } as const;
    const page = await this.#store.browse(filter, { limit, ...(cursor === undefined ? {} : { cursor }) });
    const jobs = await Promise.all(page.rows.map(({ id }) => this.#store.job(id)));
    const entries = jobs.flatMap((job) => (job === undefined ? [] : [{ id: job.id, ...contents(job) }]));
    return { entries, ...(page.next === undefined ? {} : { next: page.next }) };
  }

  /**
   * A store that takes no jobs, because its disk is full, must still let operators make room: the act goes on, and its record in the log
   * has actor and reason all the same.
   */
  async #write({ key, entry }: BegunEntry, onConflict: 'keep' | 'replace'): Promise<Enqueued | undefined> {
    const job = {
      queue: ACTIVITY_QUEUE,
      name: entry.act,
      payload: JSON.stringify(entry),
      delayMs: ACTIVITY_KEPT.ageMs - SPARE_MS,
      expiresInMs: ACTIVITY_KEPT.ageMs,
      dedupe: { key, onConflict },
    };
    try {
      const [written] = await this.#store.enqueue([job]);
      return written;
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.code !== 'STORE_FULL') throw error;
      this.#logger.warn(`The store is full; activity has no entry for ${entry.act} by ${JSON.stringify(entry.actor)}.`);
      return undefined;
    }
  }

  /** Removes what is beyond the number that is kept. An act does not depend on it: where it fails, the next time does it all. */
  async #trim(): Promise<void> {
    try {
      const [queue] = await this.#store.queues([ACTIVITY_QUEUE]);
      if ((queue?.counts.scheduled ?? 0) > ACTIVITY_KEPT.count) await this.#removeOld();
    } catch (error) {
      this.#logger.warn(`Old entries of activity were not removed: ${String(error)}`);
    }
  }

  async #removeOld(): Promise<void> {
    const filter = { queue: ACTIVITY_QUEUE, state: 'scheduled' } as const;
    let cursor: string | undefined;
    for (let seen = 0; ; seen += PAGE_ROWS) {
      const page = await this.#store.browse(filter, { limit: PAGE_ROWS, ...(cursor === undefined ? {} : { cursor }) });
      if (seen >= ACTIVITY_KEPT.count && page.rows.length > 0) {
        await this.#store.remove({ ids: page.rows.map(({ id }) => id) }, { actor: 'holdfast', reason: 'too old' });
      }
      if (page.next === undefined) return;
      cursor = page.next;
    }
  }
}

/** What is known of an act that threw: whether it was done is certain for errors of Holdfast that say so, and only then. */
function failedWith(error: unknown): Ended {
  const known = error instanceof HoldfastError ? error : undefined;
  const failed = { status: 'failed', error: known?.code ?? 'INTERNAL' } as const;
  return known?.outcome === 'rejected' ? failed : { ...failed, uncertain: true };
}

function contents({ payload }: JobDetail): KeptEntry {
  return JSON.parse(String(payload)) as KeptEntry;
}
