import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { StoreLockedError } from '@holdfast/contract';
import { type MovableStore, MoveRefusedError, type StoreContents } from '@holdfast/contract/moving';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import { examineLog, keepOwnersOut, LOCK_NAME, LogSnapshot, NodeFileSystem } from '@holdfast/core/log';
import { JobTable, Replay } from '@holdfast/core/records';
import type { CommandContext } from '../command-context.js';
import { LogSink } from '../repair/record-sink.js';
import { LogTarget } from '../repair/target.js';
import { openSource } from '../source/open-source.js';
import { visibleJsonLines } from '../terminal/visible-text.js';
import { LogJobs } from './log-jobs.js';
import { MOVE_REPORT, movePlace, removeEmptyRest, targetState } from './log-target.js';
import { writeLog } from './write-log.js';

const WORD = 2 ** 32;

/** The log of a directory as one that is moved, or moved to. */
export class LogDirectory implements MovableStore {
  readonly location: string;
  readonly #context: CommandContext;
  readonly #keep: number;

  /** @param keep so many completed and cancelled jobs of each queue are read */
  constructor(directory: string, context: CommandContext, keep: number = STORE_LIMITS.retentionCountMax) {
    this.location = directory;
    this.#context = context;
    this.#keep = keep;
  }

  async place(): Promise<string> {
    return resolve(this.location);
  }

  async storeId(): Promise<string | undefined> {
    const state = targetState(this.location);
    if (state !== 'log') return undefined;
    return this.#lockedOut(() => {
      removeEmptyRest(this.location);
      return this.#reading(openSource(this.location), this.#keep, async ({ identity }) => identity.storeId);
    });
  }

  async readWhole<Answer>(read: (contents: StoreContents) => Promise<Answer>): Promise<Answer> {
    return this.#lockedOut((isLocked) => {
      const snapshot = openSource(this.location);
      const requireUnchanged = async () => {
        if (!isLocked) this.#requireSame(snapshot);
      };
      return this.#reading(snapshot, this.#keep, read, requireUnchanged);
    });
  }

  async take<Answer>(contents: StoreContents, check: (copy: StoreContents) => Promise<Answer>): Promise<Answer> {
    const { storeId, nextNumber, nextToken, nextEnd, rankFloorMs } = contents.identity;
    const origin = {
      storeId: Buffer.from(storeId, 'hex'),
      // Not the first: jobs of which it holds no beginning are then no damage. All its places come after the ends that are known.
      segmentNumber: Math.max(1, Math.floor((nextEnd - 1) / WORD)) + 1,
      epoch: Math.max(1, Math.floor((nextToken - 1) / WORD)),
      firstSeq: 1,
      idFloor: nextNumber,
      rankFloorMs,
    };
    const made = LogTarget.begin(movePlace(this.location), origin, {
      now: this.#context.now,
      monotonicMs: () => performance.now(),
    });
    try {
      await writeLog(contents, new LogSink(made.log, nextNumber));
      made.log.close();
      const copy = LogSnapshot.take(new NodeFileSystem(), made.unfinished);
      const answer = await this.#reading(copy, STORE_LIMITS.retentionCountMax, check);
      made.place(MOVE_REPORT, `${visibleJsonLines({ storeId, movedAtMs: this.#context.now() })}\n`);
      return answer;
    } catch (error) {
      made.discard();
      throw error;
    }
  }

  async close(): Promise<void> {}

  /** @throws StoreLockedError while it is open somewhere, or a log is made in it */
  async #lockedOut<Answer>(work: (isLocked: boolean) => Promise<Answer>): Promise<Answer> {
    const lock = keepOwnersOut(this.location);
    if (lock !== undefined && 'holderPid' in lock) throw new StoreLockedError(this.location, lock.holderPid);
    try {
      return await work(lock !== undefined);
    } finally {
      lock?.unlock();
    }
  }

  /** A log without a file for locks was never opened, and nothing keeps it from being opened. */
  #requireSame({ fingerprint }: LogSnapshot): void {
    const now = LogSnapshot.take(new NodeFileSystem(), this.location);
    now.close();
    if (!existsSync(join(this.location, LOCK_NAME)) && now.fingerprint === fingerprint) return;
    throw new MoveRefusedError(
      this.location,
      'was opened while it was read, so nothing was moved',
      'Stop the application first, in all its processes.',
    );
  }

  /** @param requireUnchanged what nobody else can change needs none */
  async #reading<Answer>(
    snapshot: LogSnapshot,
    keep: number,
    read: (contents: StoreContents) => Promise<Answer>,
    requireUnchanged = async () => {},
  ): Promise<Answer> {
    try {
      return await read(this.#read(snapshot, keep, requireUnchanged));
    } finally {
      snapshot.close();
    }
  }

  /** @throws LogCorruptError, LogVersionError */
  #read(snapshot: LogSnapshot, keep: number, requireUnchanged: () => Promise<void>): LogJobs {
    const { progress } = this.#context;
    const nothingElse = { count: keep, ageMs: null, bytes: null };
    const dead = { count: STORE_LIMITS.retentionCountMax, ageMs: null, bytes: null };
    const table = new JobTable({ completed: nothingElse, cancelled: nothingElse, dead, queues: {} });
    const replay = new Replay(table);
    let read = 0;
    const found = examineLog(snapshot, snapshot.directory, {
      segment: (_, header) => replay.segment(header),
      record: (record) => {
        replay.record(record);
        read += record.recordBytes;
        progress.report('Reading', read, snapshot.bytes);
      },
    });
    table.requests.settle();
    const headers = [...found.segments, ...(found.unused === undefined ? [] : [found.unused])].map(
      ({ header }) => header,
    );
    const newest = headers.at(-1);
    if (newest === undefined) throw new Error('A log without a segment was read.');
    const reach = {
      storeId: newest.storeId,
      nextNumber: Math.max(table.nextId, newest.idFloor),
      nextToken: (newest.epoch + 1) * WORD,
      nextEnd: (newest.segmentNumber + 1) * WORD,
    };
    return new LogJobs({ table, log: snapshot, reach, nowMs: this.#context.now(), requireUnchanged });
  }
}
