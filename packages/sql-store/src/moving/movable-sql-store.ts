import { type MovableStore, MoveRefusedError, type StoreContents } from '@holdfast/contract/moving';
import type { MoveFailures } from './move-failures.js';
import {
  type HeldStore,
  type HeldTarget,
  identityOf,
  type MovingDatabase,
  type Reach,
  type StoreLooks,
  type Teller,
} from './moving-database.js';
import { WholeStore } from './whole-store.js';
import { writeWhole } from './write-whole.js';

/** A process tells of its workers every 10 seconds, and counts as gone after 30. */
const TOLD_MS = 30_000;
const TELLS_AGAIN_MS = 11_000;

const STOP_FIRST = 'Stop the application first, in all its processes.';

/** The store in a schema of a database as one that is moved, or moved to. */
export class MovableSqlStore implements MovableStore {
  readonly location: string;
  readonly #database: MovingDatabase;
  readonly #failures: MoveFailures;

  constructor(database: MovingDatabase, failures: MoveFailures) {
    this.location = database.location;
    this.#database = database;
    this.#failures = failures;
  }

  place(): Promise<string> {
    return this.#failures.told(() => this.#database.place());
  }

  storeId(): Promise<string | undefined> {
    return this.#failures.told(async () =>
      (await this.#database.isThere()) ? this.#database.looks.heldId() : undefined,
    );
  }

  async readWhole<Answer>(read: (contents: StoreContents) => Promise<Answer>): Promise<Answer> {
    await this.#failures.told(() => this.#database.requireStore());
    await this.#requireNoTellers();
    return this.#failures.across(
      (work: (held: HeldStore) => Promise<Answer>) => this.#database.reading(work),
      async ({ looks, rows }) => {
        await this.#requireClosed(looks);
        await this.#requireNoLease(looks);
        const before = await looks.reach();
        const requireUnchanged = async () => this.#requireSame(before, await looks.reach());
        return read(new WholeStore(rows, identityOf(before), requireUnchanged));
      },
    );
  }

  async take<Answer>(contents: StoreContents, check: (copy: StoreContents) => Promise<Answer>): Promise<Answer> {
    await this.#failures.told(() => this.#database.make());
    await this.#requireNoTellers();
    return this.#failures.across(
      (work: (held: HeldTarget) => Promise<Answer>) => this.#database.writing(work),
      async ({ looks, rows, tables }) => {
        await this.#requireEmpty(looks);
        await writeWhole(contents, tables((await looks.reach()).at_ms));
        // Nobody else sees it.
        return check(new WholeStore(rows, identityOf(await looks.reach()), async () => {}));
      },
    );
  }

  close(): Promise<void> {
    return this.#database.end();
  }

  async #requireClosed(looks: StoreLooks): Promise<void> {
    const open = await looks.openProcess();
    if (open === undefined) return;
    throw this.#refused(`is open in process ${open.pid} on ${open.host}`, 'Stop the application first.');
  }

  async #requireNoLease(looks: StoreLooks): Promise<void> {
    const lease = await looks.liveLease();
    if (lease === undefined) return;
    const many = `${lease.leases} leases that have not run out, one of them`;
    const problem = `has ${lease.leases === 1 ? 'a lease that has not run out,' : many} of the worker ${lease.worker}`;
    throw this.#refused(problem, 'Stop all workers, and wait until their leases have ended.');
  }

  /** Processes without a session hold no lock; those with workers tell of them again and again. */
  async #requireNoTellers(): Promise<void> {
    const { looks } = this.#database;
    const first = await looks.tellers(TOLD_MS);
    for (
      let tellers = first;
      tellers.some(({ ago_ms }) => ago_ms < TELLS_AGAIN_MS);
      tellers = await looks.tellers(TOLD_MS)
    ) {
      if (tellers.some((teller) => !first.some((other) => isSame(teller, other))))
        throw this.#refused('has workers', STOP_FIRST);
      await looks.pauseAMoment();
    }
  }

  async #requireEmpty(looks: StoreLooks): Promise<void> {
    await this.#requireClosed(looks);
    const nextStep = 'Choose another schema (--schema), or drop this one.';
    if ((await looks.heldId()) !== undefined) throw this.#refused('is not empty', nextStep);
    if (!(await looks.wasOpened())) return;
    const problem =
      'is empty, but was opened before, and a process that has it open still would go on under its old id';
    throw this.#refused(problem, nextStep);
  }

  #requireSame(before: Reach, after: Reach): void {
    const names = ['next_job_number', 'next_token', 'next_end_number', 'next_process_id'] as const;
    if (names.every((name) => before[name] === after[name])) return;
    throw this.#refused('was used while it was read, so nothing was moved', STOP_FIRST);
  }

  #refused(problem: string, nextStep: string): MoveRefusedError {
    return new MoveRefusedError(this.location, problem, nextStep);
  }
}

function isSame(one: Teller, other: Teller): boolean {
  return one.process_id === other.process_id && one.told_at_ms === other.told_at_ms;
}

/** Somebody holds what has to be locked. */
export function inUse(location: string): MoveRefusedError {
  return new MoveRefusedError(
    location,
    'is being used, opened or moved by another process',
    'Wait until that has ended.',
  );
}
