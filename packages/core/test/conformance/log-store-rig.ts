import type { JobStore, Random, RetentionOptions } from '@holdfast/contract';
import { SeededRandom, VirtualClock } from '@holdfast/testing';
import { openInThreadStore } from '../../src/open-in-thread-store.js';
import { SimDisk } from '../sim/sim-disk.js';
import { SimFileSystem } from '../sim/sim-file-system.js';

export interface LogStoreRigOptions {
  readonly clock?: VirtualClock;
  /** What the store draws from; the disk has a source of its own. */
  readonly random?: Random;
  readonly retention?: RetentionOptions;
  readonly segmentBytes?: number;
}

/** The whole log store in this thread, on a simulated disk and a virtual clock, opened again and again. */
export class LogStoreRig {
  readonly clock: VirtualClock;
  readonly #options: LogStoreRigOptions;
  readonly #random: Random;
  readonly #diskRandom = new SeededRandom(1);
  readonly #disk = new SimDisk();
  #store: JobStore | undefined;

  constructor(options: LogStoreRigOptions = {}) {
    this.#options = options;
    this.#random = options.random ?? new SeededRandom(2);
    this.clock = options.clock ?? new VirtualClock();
  }

  async open(): Promise<JobStore> {
    const { retention, segmentBytes } = this.#options;
    this.#store = await openInThreadStore({
      directory: '/data',
      fileSystem: new PromptFileSystem(this.#disk, this.#diskRandom),
      clock: this.clock,
      random: this.#random,
      afterOverdueWork: queueMicrotask,
      ...(retention === undefined ? {} : { retention }),
      ...(segmentBytes === undefined ? {} : { segmentBytes }),
    });
    return this.#store;
  }

  /** Killed: nothing of the former process goes on, and only what it wrote is there. */
  async reopen(how: 'closed' | 'killed'): Promise<JobStore> {
    if (how === 'closed') await this.#store?.close();
    this.clock.dropTimers();
    this.#disk.kill();
    return this.open();
  }

  async close(): Promise<void> {
    await this.#store?.close();
  }
}

/** A disk whose syncs end as soon as the running code has. */
class PromptFileSystem extends SimFileSystem {
  override beginSync(finish: () => void): void {
    queueMicrotask(finish);
  }
}
