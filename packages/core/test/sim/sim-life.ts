import { StoreOpenError } from '@holdfast/contract';
import { CrashStates, type Depth, type StateTally } from './crash-states.js';
import { checkLeases, drain } from './drain.js';
import { type Checks, InvariantViolation } from './invariants.js';
import { Ledger } from './ledger.js';
import type { LifeTally } from './life-tally.js';
import { compareWithReplay } from './live-check.js';
import { lookAt, openAndLook } from './opened-store.js';
import { adoptReopened, checkReopened } from './reopen-check.js';
import { SeededRandom } from './seeded-random.js';
import { noteSilentEnds } from './silent-ends.js';
import { SimClients } from './sim-clients.js';
import { type FaultPlan, SimFileSystem, type StepKind } from './sim-file-system.js';
import { SimProcess } from './sim-process.js';
import { type Loss, SimWorld, type WorldSettings } from './sim-world.js';

const PROCESSES = 5;
const TURNS = 24;
const HOUR_MS = 3_600_000;
/** Calls that are made to a store that has failed. */
const PROBES = 6;

/**
 * One store over several processes on one machine. Clients call, syncs end late, time passes, stands still and jumps, disks fail and
 * fill up, processes end in every way, also while they open; and at each I/O event the crash states branch off.
 */
export class SimLife {
  readonly world: SimWorld;
  /** Made of all answers: the same seed gives the same number. */
  transcript = 0;
  readonly #tally: LifeTally;
  readonly #clients: SimClients;
  readonly #ledger: Ledger;
  readonly #states: CrashStates;
  /** A sync has failed: the page cache may show what is not on the disk, or less. */
  #hasLostPages = false;
  /** What the last end may have taken. */
  #loss: Loss = 'kept';
  /** Of the present process. */
  #faults = 0;
  #process: SimProcess | undefined;
  /** What a crash state has shown. */
  #broken: unknown;
  #wasClosed = false;

  constructor(seed: number, depth: Depth, checks: Checks, states: StateTally, tally: LifeTally) {
    this.world = new SimWorld(seed, settingsOf(new SeededRandom(seed)), checks);
    this.#tally = tally;
    this.#ledger = new Ledger(checks);
    this.#clients = new SimClients(this.world.random);
    this.#states = new CrashStates(states, depth, liveOn);
  }

  run(): void {
    this.#tally.lives++;
    for (let count = 0; count < PROCESSES; count++) this.#live(true);
    this.#live(false);
  }

  /** One process, from the tries to open to its end. */
  #live(isRough: boolean): void {
    let process: SimProcess | undefined;
    for (let tries = 0; process === undefined; tries++) process = this.#open(isRough && tries < 3);
    const opened = process;
    this.#unlessEnded(opened.files, () => {
      if (isRough) for (let turn = 0; turn < TURNS && opened.fatal === undefined; turn++) this.#turn(opened);
      else this.#drain(opened);
    });
    this.#leave(opened);
  }

  #open(isRough: boolean): SimProcess | undefined {
    const { world } = this;
    const ledger = this.#ledger;
    this.#tally.processes++;
    this.#lookAhead();
    const files = this.#files(isRough);
    let process: SimProcess | undefined;
    this.#unlessEnded(files, () => {
      try {
        process = new SimProcess(world, ledger, files);
      } catch (error) {
        if (!(error instanceof StoreOpenError) || this.#faults === 0) throw error;
      }
    });
    if (process === undefined) {
      this.#end(files.ended && world.random.chance(0.5));
      return undefined;
    }
    this.#adopt(process);
    return process;
  }

  /** All that this open has found is durable. */
  #adopt(process: SimProcess): void {
    const ledger = this.#ledger;
    const { epoch } = process;
    ledger.checks.that(7, epoch > ledger.lastEpoch, () => `epoch ${epoch} follows ${ledger.lastEpoch}`);
    ledger.lastEpoch = epoch;
    const { readFailures } = process.files;
    process.files.readFailures = 0;
    const found = lookAt(process.engine, this.world, this.#loss);
    adoptReopened(ledger, found);
    process.files.readFailures = readFailures;
    this.#states.begin(found.view);
    this.#loss = 'kept';
    this.#hasLostPages = false;
    this.#process = process;
  }

  /** What is there to be found, before an open that may itself be cut off. */
  #lookAhead(): void {
    const { world } = this;
    const found = openAndLook(world.fork(), this.#loss);
    checkReopened(this.#ledger, found);
    const { view } = found;
    world.checks.that(18, !this.#wasClosed || view.recovery === 'clean', () => 'a store that was closed opens unclean');
    this.#wasClosed = false;
    this.#ledger.takeBackAfter(view.foundSeq);
    this.#states.takeBackAfter(view.foundSeq);
  }

  #files(isRough: boolean): SimFileSystem {
    const { world } = this;
    const { random, disk } = world;
    const files = new SimFileSystem(disk, random, isRough ? planOf(random) : undefined);
    files.syncsArePrompt = random.chance(0.3);
    this.#process = undefined;
    this.#faults = 0;
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    if (isRough) {
      files.shortWrites = random.chance(0.2);
      files.readFailures = random.chance(0.1) ? 0.02 : 0;
      if (random.chance(0.15)) disk.capacityBytes = disk.usedBytes + random.below(6000);
    }
    files.watch = (kind, torn) => this.#watch(kind, torn);
    files.failed = (kind, code) => this.#failed(kind, code);
    return files;
  }

  #watch(kind: StepKind, torn: boolean): void {
    if (this.#hasLostPages) return;
    try {
      this.#states.at(this.world, this.#ledger, kind, torn);
    } catch (error) {
      // The engine is in the midst of a call, and takes it for an error of its disk.
      this.#broken ??= error;
      throw error;
    }
  }

  #failed(kind: StepKind | 'read', code: string): void {
    this.#faults++;
    this.#tally.count(`${code} on ${kind}`);
    if (kind === 'sync') this.#hasLostPages = true;
    // A file that cannot be removed, or not be read, costs nothing that was promised.
    if (kind !== 'read' && kind !== 'remove' && code === 'EIO' && this.#process !== undefined)
      this.#process.diskFailed = true;
  }

  #turn(process: SimProcess): void {
    const { random } = this.world;
    const clients = this.#clients;
    for (let calls = 1 + random.below(4); calls > 0; calls--) clients.call(process);
    process.endTurn();
    if (random.chance(0.6)) process.finishSyncs();
    this.#letTimePass(process);
    if (process.leasesDue && random.chance(0.8)) this.#tally.expired += process.expireLeases();
    if (random.chance(0.2)) process.finishSyncs();
    if (process.fatal !== undefined || process.diskFailed) return;
    noteSilentEnds(process);
    if (random.chance(0.1)) checkLeases(process);
    if (random.chance(0.1)) compareWithReplay(process);
  }

  #letTimePass(process: SimProcess): void {
    const { world } = this;
    const { random } = world;
    const way = random.below(100);
    if (way < 55) process.advance(random.below(60));
    else if (way < 75) process.advance(random.below(2500));
    else if (way < 82) this.#stall(random.below(5000));
    else if (way < 86) this.#jump(random.pick([-1, 1]) * random.below(12 * HOUR_MS));
  }

  /** Nothing fails any more. */
  #drain(process: SimProcess): void {
    process.files.watch = undefined;
    drain(process, this.#clients);
  }

  #stall(ms: number): void {
    this.#tally.count('stall');
    this.world.clock.stall(ms);
    this.world.noteWall();
  }

  #jump(byMs: number): void {
    this.#tally.count(byMs < 0 ? 'clock set back' : 'clock set forward');
    this.#ledger.clockIsSet(this.world.clock.now());
    this.world.setWall(byMs);
  }

  #leave(process: SimProcess): void {
    const { random } = this.world;
    const { files } = process;
    if (process.fatal !== undefined) this.#probe(process);
    this.#tally.noteEnd(process);
    this.transcript = (this.transcript * 31 + process.transcript) >>> 0;
    if (files.ended) this.#end(random.chance(0.6));
    else if (process.fatal === undefined && random.chance(0.35)) this.#close(process);
    else this.#end(random.chance(0.5));
    this.#clients.processEnded();
  }

  /** A store that has failed answers every call, and none as well. */
  #probe(process: SimProcess): void {
    process.diskFailed = true;
    for (let probe = 0; probe < PROBES; probe++) this.#clients.call(process);
    process.engine.endTurn();
    process.checkAllAnswered();
  }

  #close(process: SimProcess): void {
    let isClosed = false;
    this.#unlessEnded(process.files, () => {
      isClosed = process.close();
    });
    this.#wasClosed = isClosed;
    if (isClosed) this.#tally.count('closed');
    this.#end(!isClosed && this.world.random.chance(0.5));
  }

  #end(powerLost: boolean): void {
    this.#tally.count(powerLost ? 'power cut' : 'process ended');
    this.#loss = powerLost || this.#hasLostPages || this.#loss === 'unsynced' ? 'unsynced' : 'kept';
    this.world.end(powerLost ? 'unsynced' : 'kept');
    this.world.clock.stall(1);
  }

  #unlessEnded(files: SimFileSystem, step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!files.ended || error instanceof InvariantViolation) throw this.#broken ?? error;
    }
    if (this.#broken !== undefined) throw this.#broken;
  }
}

/** In a crash state: whoever comes next finds a store that goes on as if nothing had been. */
function liveOn(world: SimWorld, ledger: Ledger, loss: Loss): void {
  const process = new SimProcess(world, ledger, new SimFileSystem(world.disk, world.random));
  adoptReopened(ledger, lookAt(process.engine, world, loss));
  const clients = new SimClients(world.random, 'later ');
  for (let turn = 0; turn < 5; turn++) {
    clients.call(process);
    process.endTurn();
    if (world.random.chance(0.5)) process.finishSyncs();
  }
  process.finishSyncs();
  drain(process, clients);
  process.close();
}

function settingsOf(random: SeededRandom): WorldSettings {
  return {
    segmentBytes: random.pick([700, 1500, 4000, 64 * 1024]),
    compactionStepJobs: random.pick([1, 3]),
    completedKept: random.pick([2, 5, 50]),
  };
}

function planOf(random: SeededRandom): FaultPlan | undefined {
  const atStep = random.chance(0.25) ? random.below(16) : random.below(90);
  return random.chance(0.75)
    ? { atStep, fault: random.pick(['end', 'end', 'end', 'EIO', 'EIO', 'ENOSPC']) }
    : undefined;
}
