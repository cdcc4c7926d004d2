import { randomUUID } from 'node:crypto';
import type { ActivityEntry, ActOutcome, AdminRole, Clock, JobStore } from '@holdfast/contract';
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
  readonly entry: Omit<ActivityEntry, 'id'>;
}

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
    try {
      const answer = await run();
      await this.end(begun, outcomeOf(answer));
      return answer;
    } catch (error) {
      await this.end(begun, undefined, error instanceof HoldfastError ? error.code : 'INTERNAL');
      throw error;
    }
  }

  /** An entry with this key that is there already stays as it is. */
  async begin(
    by: ActingPerson,
    act: string,
    target: ActivityEntry['target'],
    key: string = randomUUID(),
  ): Promise<BegunEntry> {
    const entry = { atMs: this.#clock.now(), ...by, act, target, status: 'begun' as const };
    const begun = { key, entry };
    await this.#write(begun, 'keep');
    if (++this.#written % TRIM_EVERY === 0) await this.#trim();
    return begun;
  }

  async end({ key, entry }: BegunEntry, outcome: ActOutcome | undefined, error?: string): Promise<void> {
    // Also after an error: a part may have been done.
    this.#looks.forget();
    const ended = error === undefined ? { status: 'done' as const } : { status: 'failed' as const, error };
    await this.#write({ key, entry: { ...entry, ...ended, ...(outcome === undefined ? {} : { outcome }) } }, 'replace');
  }

  /** Newest first. @throws CursorInvalidError */
  async list(limit: number, cursor: string | undefined): Promise<{ entries: ActivityEntry[]; next?: string }> {
    const filter = { queue: ACTIVITY_QUEUE, state: 'scheduled' } as const;
    const page = await this.#store.browse(filter, { limit, ...(cursor === undefined ? {} : { cursor }) });
    const jobs = await Promise.all(page.rows.map(({ id }) => this.#store.job(id)));
    const entries = jobs.flatMap((job) =>
      job === undefined ? [] : [{ id: job.id, ...(JSON.parse(String(job.payload)) as BegunEntry['entry']) }],
    );
    return { entries, ...(page.next === undefined ? {} : { next: page.next }) };
  }

  /**
   * A store that takes no jobs, because its disk is full, must still let operators make room: the act goes on, and its record in the log
   * has actor and reason all the same.
   */
  async #write({ key, entry }: BegunEntry, onConflict: 'keep' | 'replace'): Promise<void> {
    const job = {
      queue: ACTIVITY_QUEUE,
      name: entry.act,
      payload: JSON.stringify(entry),
      delayMs: ACTIVITY_KEPT.ageMs - SPARE_MS,
      expiresInMs: ACTIVITY_KEPT.ageMs,
      dedupe: { key, onConflict },
    };
    try {
      await this.#store.enqueue([job]);
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.code !== 'STORE_FULL') throw error;
      this.#logger.warn(`The store is full; activity has no entry for ${entry.act} by ${JSON.stringify(entry.actor)}.`);
    }
  }

  /** Removes what is beyond the number that is kept. */
  async #trim(): Promise<void> {
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
