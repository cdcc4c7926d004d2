import { LogCorruptError, LogVersionError, StoreFailedError, StoreOpenError } from '@holdfast/contract';
import { type LogRecovery, type LogReplay, SegmentedLog } from '../../src/log/index.js';
import type { SeededRandom } from './seeded-random.js';
import type { SimDisk } from './sim-disk.js';
import { type FaultPlan, SimFileSystem } from './sim-file-system.js';

const KIND = 1;
export const DIRECTORY = '/log';

/** What the test knows to have been written: one number a record, and how it lies in frames. */
interface WrittenRecord {
  readonly value: number;
  readonly seq: number;
  readonly location: number;
  readonly recordBytes: number;
}

/** How a process ended. */
export type End = 'crash' | 'kill' | 'failure' | 'closed';

/**
 * A log through many processes on one simulated disk, beside a model of it: the list of records that were written, up to where they
 * were written by a call that returned, and up to where they were durable. After each open the log must hold a prefix of the list
 * that is cut between frames and holds all that is promised.
 */
export class LogLife {
  readonly disk: SimDisk;
  readonly random: SeededRandom;
  readonly segmentBytes: number;
  /** Processes that opened the log or ended while they did. */
  opens = 0;
  torn = 0;
  rotations = 0;
  #records: WrittenRecord[] = [];
  /** Records that a write returned for; those behind may be there or not. */
  #written = 0;
  #durable = 0;
  #nextValue = 1;
  #lastEpoch = 0;
  #storeId: string | undefined;
  /** What the last sync in the background said. Its owner ends then: pages of a failed sync may read as they were before. */
  #failed: Error | undefined;

  constructor(disk: SimDisk, random: SeededRandom, segmentBytes: number) {
    this.disk = disk;
    this.random = random;
    this.segmentBytes = segmentBytes;
  }

  /** One process: opens, works, and ends in some way. @returns how, and what the open found */
  live(turns: number, plan?: FaultPlan): { end: End; recovery: LogRecovery | undefined; steps: number } {
    const system = new SimFileSystem(this.disk, this.random, plan);
    system.shortWrites = this.random.chance(0.2);
    this.opens++;
    this.#failed = undefined;
    let log: SegmentedLog | undefined;
    try {
      log = this.#open(system);
      for (let turn = 0; turn < turns; turn++) this.#turn(log, system);
      return { end: this.#leave(log), recovery: log.recovery, steps: system.steps };
    } catch (error) {
      return { end: this.#endOf(error, system, log), recovery: log?.recovery, steps: system.steps };
    }
  }

  /** What the last open found, and what was written since. */
  get values(): readonly number[] {
    return this.#records.map(({ value }) => value);
  }

  /** After an end of the machine: what is not durable may be lost. */
  powerLost(): void {
    this.disk.crash(this.random);
    this.#written = this.#durable;
  }

  #open(system: SimFileSystem): SegmentedLog {
    const found: WrittenRecord[] = [];
    const replay: LogReplay = {
      record: ({ kind, view, buffer, offset, bodyBytes, location, recordBytes }) => {
        const value = view.getUint32(offset, true);
        const body = buffer.subarray(offset, offset + bodyBytes);
        if (kind !== KIND || !sameBytes(body, bodyOf(value))) throw new Error(`record ${value} came back changed`);
        found.push({ value, seq: 0, location, recordBytes });
      },
      nextId: () => found.length + 1,
    };
    const log = SegmentedLog.open(this.#options(system), replay);
    this.#compare(found);
    this.#checkIdentity(log);
    if (log.recovery.tornTail !== undefined) this.torn++;
    return log;
  }

  #options(system: SimFileSystem) {
    const { random, segmentBytes } = this;
    return { directory: DIRECTORY, fileSystem: system, random, segmentBytes, now: () => 1, monotonicMs: () => 1 };
  }

  #compare(found: readonly WrittenRecord[]): void {
    const records = this.#records;
    found.forEach(({ value, location }, index) => {
      const expected = records[index];
      if (expected?.value !== value) throw new Error(`record ${index} is ${value}, but ${expected?.value} was written`);
      if (expected.location !== location)
        throw new Error(`record ${value} is at ${location}, not ${expected.location}`);
    });
    if (found.length < this.#written) throw new Error(`${found.length} of ${this.#written} promised records are left`);
    const [last, next] = [records[found.length - 1], records[found.length]];
    if (last !== undefined && next !== undefined && last.seq === next.seq) throw new Error('a frame came back in part');
    this.#records = records.slice(0, found.length);
    this.#written = found.length;
    this.#durable = found.length;
  }

  #checkIdentity(log: SegmentedLog): void {
    const storeId = Buffer.from(log.storeId).toString('hex');
    // A store whose first open never returned may begin again with another id.
    if (this.#lastEpoch > 0 && storeId !== this.#storeId) throw new Error('the store has another id');
    if (log.epoch <= this.#lastEpoch) throw new Error(`epoch ${log.epoch} follows ${this.#lastEpoch}`);
    if (log.idFloor < this.#written) throw new Error('the id floor went back');
    this.#storeId = storeId;
    this.#lastEpoch = log.epoch;
  }

  #turn(log: SegmentedLog, system: SimFileSystem): void {
    const { random } = this;
    if (random.chance(0.75)) this.#writeFrame(log);
    if (random.chance(0.3) && !log.syncing) this.#sync(log);
    if (random.chance(0.4)) system.finishSyncs();
    if (this.#failed !== undefined) throw this.#failed;
    if (random.chance(0.1) && log.durableSeq === log.writtenSeq) log.writeIdle();
    if (random.chance(0.2) && this.#written > 0) this.#readOne(log, random.below(this.#written));
  }

  #writeFrame(log: SegmentedLog): void {
    const count = 1 + this.random.below(5);
    for (let index = 0; index < count; index++) {
      const value = this.#nextValue++;
      const body = bodyOf(value);
      const { buffer, offset, location, recordBytes } = log.reserve(KIND, body.length);
      buffer.set(body, offset);
      this.#records.push({ value, seq: log.writtenSeq + 1, location, recordBytes });
    }
    this.#readOne(log, this.#records.length - 1);
    log.write(this.#nextValue);
    this.#written = this.#records.length;
  }

  #sync(log: SegmentedLog): void {
    const before = log.segments().length;
    log.sync((error, durableSeq) => {
      this.#failed = error;
      if (error === undefined) this.#noteDurable(durableSeq);
    });
    this.rotations += log.segments().length - before;
    this.#noteDurable(log.durableSeq);
  }

  #noteDurable(durableSeq: number): void {
    const end = this.#records.findIndex(({ seq }) => seq > durableSeq);
    this.#durable = Math.max(this.#durable, end === -1 ? this.#records.length : end);
  }

  #readOne(log: SegmentedLog, index: number): void {
    const { value, location, recordBytes } = this.#records[index]!;
    if (!sameBytes(log.read(location, recordBytes), bodyOf(value)))
      throw new Error(`record ${value} reads differently`);
    const { buffer, offset, bodyBytes } = log.readRecord(location);
    if (!sameBytes(buffer.subarray(offset, offset + bodyBytes), bodyOf(value))) throw new Error('length was misread');
  }

  #leave(log: SegmentedLog): End {
    if (this.random.chance(0.5)) {
      log.close();
      this.#durable = this.#records.length;
      return 'closed';
    }
    if (this.random.chance(0.5)) {
      this.powerLost();
      return 'crash';
    }
    this.disk.kill();
    return 'kill';
  }

  #endOf(error: unknown, system: SimFileSystem, log: SegmentedLog | undefined): End {
    if (error instanceof LogCorruptError || error instanceof LogVersionError) throw error;
    if (system.ended) {
      if (this.random.chance(0.4)) {
        this.disk.kill();
        return 'kill';
      }
      this.powerLost();
      return 'crash';
    }
    if (!(error instanceof StoreFailedError || error instanceof StoreOpenError)) throw error;
    if (log !== undefined) this.#checkPoisoned(log);
    // A sync that fails may drop what was written; only what was durable is promised.
    this.#written = this.#durable;
    if (this.random.chance(0.5)) this.powerLost();
    return 'failure';
  }

  #checkPoisoned(log: SegmentedLog): void {
    for (const call of [() => log.write(1), () => log.writeIdle(), () => log.syncNow(), () => log.sync(() => {})]) {
      if (!throwsStoreFailed(call)) throw new Error('a failed log went on');
    }
    log.abandon();
  }
}

function throwsStoreFailed(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch (error) {
    return error instanceof StoreFailedError;
  }
}

/** 4 to about 300 bytes that follow from the number; now and then a large one. */
function bodyOf(value: number): Uint8Array {
  const length = value % 37 === 0 ? 3000 : 4 + ((value * 7919) % 297);
  const body = new Uint8Array(length);
  for (let index = 4; index < length; index++) body[index] = value + index;
  new DataView(body.buffer).setUint32(0, value, true);
  return body;
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
