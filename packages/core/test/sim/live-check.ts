import type { JobDetail } from '@holdfast/contract';
import { SimFileSystem } from './sim-file-system.js';
import type { SimProcess } from './sim-process.js';
import { detailsOf, viewStore } from './store-view.js';

/** Between two turns: a replay of what was written makes the same jobs, whole, as the engine has in memory. */
export function compareWithReplay({ world, engine, files }: SimProcess): void {
  const { readFailures } = files;
  files.readFailures = 0;
  const live = viewStore(engine, world.disk);
  const fork = world.fork();
  fork.end('kept');
  const replayed = fork.open(new SimFileSystem(fork.disk, fork.random), { onFatal: () => {}, onLeasesDue: () => {} });
  const quiet = [...live.jobs.values()].filter(({ state }) => state !== 'leased').map(({ id }) => id);
  const [wanted, found] = [detailsOf(engine, quiet), detailsOf(replayed, quiet)];
  files.readFailures = readFailures;
  for (const id of quiet) {
    const [one, other] = [canonical(wanted.get(id)), canonical(found.get(id))];
    world.checks.that(19, one === other, () => `job ${id} is\n${one}\nand a replay makes it\n${other}`);
  }
}

/** Whether a job is ready yet is up to the clock, how many are before it to live leases, and where its record lies to compaction. */
function canonical(job: JobDetail | undefined): string {
  if (job === undefined) return 'unknown';
  const { record: _, state, updatedAtMs, lastError: __, ahead: ___, ...rest } = job;
  const isWaiting = state === 'scheduled' || state === 'ready';
  return JSON.stringify({ ...rest, state: isWaiting ? 'waiting' : state, updatedAtMs: isWaiting ? 0 : updatedAtMs });
}
