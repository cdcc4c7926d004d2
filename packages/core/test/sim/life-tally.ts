import type { SimProcess } from './sim-process.js';

/** What happened to the processes of lives. */
export class LifeTally {
  lives = 0;
  processes = 0;
  calls = 0;
  expired = 0;
  movedJobs = 0;
  freedBytes = 0;
  readonly faults = new Map<string, number>();

  count(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  noteEnd({ calls, fatal, files, engine }: SimProcess): void {
    this.calls += calls;
    if (fatal !== undefined || files.ended) return;
    const { compaction } = engine.storage();
    this.movedJobs += compaction?.movedJobs ?? 0;
    this.freedBytes += compaction?.freedBytes ?? 0;
  }
}
