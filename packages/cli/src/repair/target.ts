import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { createSegment, NodeFileSystem, SegmentedLog, type SegmentHeader } from '@holdfast/core/log';
import { LIMITS } from '@holdfast/core/records';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-code.js';

/** The log is made in here and moved up when it is whole, so that nobody takes half of it for all. */
export const UNFINISHED = 'unfinished';

/** Numbers that the new log goes on from, so that ids, tokens and sequence numbers never go back. */
export interface Origin {
  readonly storeId: Uint8Array;
  readonly segmentNumber: number;
  readonly epoch: number;
  readonly firstSeq: number;
  readonly idFloor: number;
  /** No job that comes without a delay ranks before it. */
  readonly rankFloorMs: number;
}

/** @throws CommandError when the directory is not empty, or lies inside of the source */
export function requireEmptyTarget(source: string, target: string, command: 'repair' | 'snapshot' = 'repair'): void {
  const place = nearestRealPath(target);
  const from = realpathSync(source);
  if (place === from || place.startsWith(from + sep)) {
    const message = `${target} lies inside of ${source}, and a ${command} changes nothing there.`;
    throw new CommandError(EXIT.refused, message, 'Choose a target outside of it.');
  }
  if (!existsSync(target)) return;
  if (!statSync(target).isDirectory()) {
    throw new CommandError(
      EXIT.refused,
      `${target} is not a directory.`,
      'Choose a directory that does not exist yet.',
    );
  }
  if (readdirSync(target).length === 0) return;
  throw new CommandError(
    EXIT.refused,
    `${target} is not empty. A ${command} never writes over anything.`,
    `Choose a directory that does not exist yet, or remove what an earlier ${command} left there.`,
  );
}

/** The directory in which a repaired or moved log is made. */
export class LogTarget {
  readonly log: SegmentedLog;
  readonly #directory: string;
  readonly #unfinished: string;
  readonly #fileSystem = new NodeFileSystem();

  constructor(directory: string, origin: Origin, clock: { now(): number; monotonicMs(): number }) {
    this.#directory = directory;
    this.#unfinished = join(directory, UNFINISHED);
    this.#fileSystem.createDirectory(this.#unfinished);
    createSegment(this.#fileSystem, this.#unfinished, firstHeader(origin, clock.now())).file.close();
    const random = { fraction: () => 0, bytes: (count: number) => new Uint8Array(randomBytes(count)) };
    this.log = SegmentedLog.open(
      {
        directory: this.#unfinished,
        fileSystem: this.#fileSystem,
        random,
        now: () => clock.now(),
        monotonicMs: () => clock.monotonicMs(),
        segmentBytes: LIMITS.segmentBytesDefault,
      },
      { record: () => {}, nextId: () => origin.idFloor },
    );
  }

  /** Where the log is until it is whole. */
  get unfinished(): string {
    return this.#unfinished;
  }

  /**
   * Moves the closed log to its place, the first segment last: until that is there, an open refuses what it finds. Everything is durable
   * when this returns.
   */
  place(reportName: string, report: string): void {
    const system = this.#fileSystem;
    this.#writeReport(reportName, report);
    system.remove(join(this.#unfinished, 'lock'));
    const names = system.list(this.#unfinished).map(({ name }) => name);
    for (const name of names.sort().toReversed()) {
      system.rename(join(this.#unfinished, name), join(this.#directory, name));
      system.syncDirectory(this.#directory);
    }
    rmdirSync(this.#unfinished);
    system.syncDirectory(this.#directory);
  }

  /** Removes what was made so far. */
  discard(): void {
    this.log.abandon();
    rmSync(this.#unfinished, { recursive: true, force: true });
  }

  #writeReport(name: string, report: string): void {
    const file = this.#fileSystem.open(join(this.#directory, name), 'create');
    try {
      const bytes = new TextEncoder().encode(report);
      for (let done = 0; done < bytes.length; ) done += file.write(bytes.subarray(done), done);
      file.sync();
    } finally {
      file.close();
    }
  }
}

/** Its number is behind all that the source had: were it ever put beside them, they would count as retired. */
function firstHeader(origin: Origin, createdAtMs: number): SegmentHeader {
  const { storeId, segmentNumber, epoch, firstSeq, idFloor, rankFloorMs } = origin;
  return {
    compatibleFeatures: 0,
    readOnlyFeatures: 0,
    incompatibleFeatures: 0,
    storeId,
    segmentNumber,
    salt: randomBytes(8).readBigUInt64LE(),
    epoch,
    firstSeq,
    idFloor,
    tokenFloor: epoch * 2 ** 32,
    minSegment: segmentNumber,
    createdAtMs,
    previousSegment: 0,
    previousEnd: 0,
    previousLastSeq: 0,
    previousCrc: 0,
    rankFloor: rankFloorMs,
  };
}

/** The path without links, as far as it exists. */
function nearestRealPath(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  return join(nearestRealPath(dirname(absolute)), absolute.slice(dirname(absolute).length));
}
