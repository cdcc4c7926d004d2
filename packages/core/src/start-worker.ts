import { hostname } from 'node:os';
import { InvalidArgumentError } from '@holdfast/contract';
import { cutText } from '@holdfast/contract/rules';
import { type IsolationOptions, isolatedHandlers } from './isolation/isolated-handlers.js';
import { LIMITS } from './limits.js';
import type { Handlers } from './queue/handler.js';
import type { JobMap } from './queue/job-options.js';
import { Worker } from './queue/worker.js';
import type { WorkerOptions } from './queue/worker-options.js';
import { systemClock } from './system-clock.js';

export type StartWorkerOptions<Jobs extends object = JobMap> = Omit<WorkerOptions<Jobs>, 'clock' | 'name' | 'onClose'> &
  Partial<Pick<WorkerOptions<Jobs>, 'clock' | 'name'>> &
  IsolationOptions;

/**
 * A worker on real time, named after its host, process and queue unless it is given a name.
 * @throws InvalidArgumentError naming the option.
 */
export function createWorker<Jobs extends object = JobMap>(options: StartWorkerOptions<Jobs>): Worker<Jobs> {
  const { isolation, file, names, clock = systemClock, name, ...rest } = options;
  const queues = [options.queue].flat().join('+');
  const whole = { ...rest, clock, name: name ?? defaultName(queues) };
  const isolated = isolatedHandlers({ isolation, file, names }, whole.clock);
  if (isolated === undefined) return new Worker<Jobs>(whole);
  const { handler, onClose } = isolated;
  if (names === undefined && whole.handler !== undefined) {
    throw new InvalidArgumentError(
      'handler',
      'given beside a file for all names',
      'absent, or give names for the file',
    );
  }
  const ofFile = Object.fromEntries((names ?? []).map((name) => [name, handler]));
  const handlers = { ...whole.handlers, ...ofFile } as Handlers<Jobs>;
  return new Worker<Jobs>({ ...whole, onClose, handlers, ...(names === undefined ? { handler } : {}) });
}

/** `createWorker`, at work. Add listeners at once: the first job comes a turn later. */
export function startWorker<Jobs extends object = JobMap>(options: StartWorkerOptions<Jobs>): Worker<Jobs> {
  return createWorker(options).start();
}

function defaultName(queues: string): string {
  return cutText(`${hostname()}:${process.pid}/${queues}`, LIMITS.workerNameBytesMax);
}
