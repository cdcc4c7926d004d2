import process from 'node:process';
import type { ComparedQueue, ServerAddress } from './compared-queue.js';
import type { Entrant } from './entrant.js';
import type { FigureName, Figures } from './figures.js';
import { serverMicroseconds } from './servers/server-time.js';

export interface WorkloadRun {
  readonly queue: ComparedQueue;
  readonly entrant: Entrant;
  readonly server?: ServerAddress;
  /** Multiplies times and numbers of jobs. */
  readonly scale: number;
}

export interface Workload {
  readonly name: string;
  readonly title: string;
  /** What is compared; the last of them is drawn. */
  readonly compared: readonly FigureName[];
  run(run: WorkloadRun): Promise<Figures>;
}

/** Microseconds of processor time since the call: of this process and of its queue's server. `undefined` where the server's is not known. */
export function meterProcessor(server: ServerAddress | undefined): () => number | undefined {
  const before = microseconds(server);
  return () => {
    const after = microseconds(server);
    return before === undefined || after === undefined ? undefined : after - before;
  };
}

function microseconds(server: ServerAddress | undefined): number | undefined {
  const { user, system } = process.cpuUsage();
  if (server === undefined) return user + system;
  const ofServer = server.pid === undefined ? undefined : serverMicroseconds(server.pid);
  return ofServer === undefined ? undefined : user + system + ofServer;
}

/** @throws Error when the queue does not hold so many jobs */
export async function expectCounts(queue: ComparedQueue, unfinished: number, failed = 0): Promise<void> {
  const counts = await queue.counts();
  if (counts.unfinished === unfinished && counts.failed === failed) return;
  throw new Error(
    `The queue holds ${counts.unfinished} unfinished and ${counts.failed} failed jobs, not ${unfinished} and ${failed}.`,
  );
}

export function perJob(microseconds: number | undefined, jobs: number): Figures {
  return microseconds === undefined ? {} : { cpuMicroseconds: microseconds / jobs };
}
