import type { StoreContents } from '@holdfast/contract/moving';
import type { Progress } from '../terminal/progress.js';

/** The same store, which tells how much of it was read for copying. */
export function reported(contents: StoreContents, all: number, progress: Progress): StoreContents {
  return {
    identity: contents.identity,
    counts: () => contents.counts(),
    queues: () => contents.queues(),
    keys: () => contents.keys(),
    requests: () => contents.requests(),
    requireUnchanged: () => contents.requireUnchanged(),
    async *jobs() {
      let done = 0;
      for await (const jobs of contents.jobs()) {
        yield jobs;
        for (const _ of jobs) progress.reportJobs('Copying', ++done, all);
      }
    },
  };
}
