import { VirtualClock } from '@holdfast/testing';
import { type EngineOptions, LogEngine } from '../../src/engine/log-engine.js';
import { keeping } from '../model/keeping.js';
import { Checks } from './invariants.js';
import { SeededRandom } from './seeded-random.js';
import { SimDisk } from './sim-disk.js';
import type { SimFileSystem } from './sim-file-system.js';

export const DIRECTORY = '/store';

/** What an end may take: nothing that was written, or anything that was not synced. */
export type Loss = 'kept' | 'unsynced';

/** What stays the same over a life, and differs from life to life. */
export interface WorldSettings {
  readonly segmentBytes: number;
  readonly compactionStepJobs: number;
  readonly completedKept: number;
}

/** A machine: its disk, its clock, its chance. Processes come and go on it. */
export class SimWorld {
  readonly random: SeededRandom;
  readonly settings: WorldSettings;
  disk = new SimDisk();
  readonly clock: VirtualClock;
  readonly checks: Checks;
  latestWallMs: number;

  constructor(seed: number, settings: WorldSettings, checks = new Checks(), wallMs?: number) {
    this.random = new SeededRandom(seed);
    this.settings = settings;
    this.checks = checks;
    this.clock = wallMs === undefined ? new VirtualClock() : new VirtualClock({ wallMs });
    this.latestWallMs = this.clock.now();
  }

  /** The same machine with another fate, at the same time. Nothing that happens to it is felt here. */
  fork(disk = this.disk): SimWorld {
    this.noteWall();
    const fork = new SimWorld(this.random.below(2 ** 32), this.settings, this.checks, this.clock.now());
    fork.disk = disk.copy();
    // Whoever comes next has made room.
    fork.disk.capacityBytes = Number.POSITIVE_INFINITY;
    fork.latestWallMs = this.latestWallMs;
    return fork;
  }

  /** `kept`: the process ends. `unsynced`: the machine loses its power. */
  end(loss: Loss): void {
    this.clock.dropTimers();
    if (loss === 'kept') this.disk.kill();
    else this.disk.crash(this.random);
  }

  setWall(byMs: number): void {
    this.clock.setWall(byMs);
    this.noteWall();
  }

  noteWall(): void {
    this.latestWallMs = Math.max(this.latestWallMs, this.clock.now());
  }

  /** @throws what an open throws */
  open(files: SimFileSystem, heard: Pick<EngineOptions, 'onFatal' | 'onLeasesDue'>): LogEngine {
    const { segmentBytes, compactionStepJobs, completedKept } = this.settings;
    return LogEngine.open({
      log: { directory: DIRECTORY, segmentBytes },
      fileSystem: files,
      clock: this.clock,
      random: this.random,
      retention: keeping(completedKept),
      compactionStepJobs,
      ...heard,
    });
  }
}
