import { hostname } from 'node:os';
import { cutText } from '@holdfast/contract/rules';
import { LIMITS } from './limits.js';
import type { JobMap } from './queue/job-options.js';
import { Worker } from './queue/worker.js';
import type { WorkerOptions } from './queue/worker-options.js';
import { systemClock } from './system-clock.js';

export type StartWorkerOptions<Jobs extends object = JobMap> = Omit<WorkerOptions<Jobs>, 'clock' | 'name'> &
  Partial<Pick<WorkerOptions<Jobs>, 'clock' | 'name'>>;

/**
 * A worker on real time, named after its host, process and queue unless it is given a name.
 * @throws InvalidArgumentError naming the option.
 */
export function createWorker<Jobs extends object = JobMap>(options: StartWorkerOptions<Jobs>): Worker<Jobs> {
  const queues = [options.queue].flat().join('+');
  return new Worker({ clock: systemClock, name: defaultName(queues), ...options });
}

/** `createWorker`, at work. Add listeners at once: the first job comes a turn later. */
export function startWorker<Jobs extends object = JobMap>(options: StartWorkerOptions<Jobs>): Worker<Jobs> {
  return createWorker(options).start();
}

function defaultName(queues: string): string {
  return cutText(`${hostname()}:${process.pid}/${queues}`, LIMITS.workerNameBytesMax);
}
