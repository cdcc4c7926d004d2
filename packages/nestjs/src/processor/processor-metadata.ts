import { type WorkerEvents, type WorkerOptions } from '@holdfast/core';

/** Texts, so that two copies of this package in one application understand each other's decorators. */
export const PROCESSOR_METADATA = 'holdfast:processor';
export const PROCESS_METADATA = 'holdfast:process';
export const JOB_EVENT_METADATA = 'holdfast:job-event';

/** Stands for every job name that no method asks for. */
export const ANY_JOB: unique symbol = Symbol.for('holdfast:any-job');

/** How the worker of a queue runs here: see `WorkerOptions`. */
export type ProcessorOptions = Pick<WorkerOptions, 'concurrency' | 'leaseMs'>;

export interface ProcessorMetadata {
  readonly queue: string;
  readonly options: ProcessorOptions;
}

/** A method of a processor, found in the application. */
export interface HandlerMethod {
  readonly job: string | typeof ANY_JOB;
  /** `Class.method`, for messages. */
  readonly place: string;
  readonly call: (...args: readonly unknown[]) => unknown;
}

export interface ListenerMethod {
  readonly event: keyof WorkerEvents;
  readonly call: (...args: readonly unknown[]) => unknown;
}

/** A processor class, found in the application. */
export interface FoundProcessor extends ProcessorMetadata {
  /** Class name, for messages. */
  readonly place: string;
  readonly handlers: readonly HandlerMethod[];
  readonly listeners: readonly ListenerMethod[];
}
