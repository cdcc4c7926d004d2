import { type IsolationOptions, type WorkerEvents, type WorkerOptions } from '@holdfast/core';
import { type FactoryProvider, type InjectableOptions } from '@nestjs/common';
import { type OnConnection } from '../holdfast-options.js';
import { type ProcessorClass } from './processor-class.js';

/** Texts, so that two copies of this package in one application understand each other's decorators. */
export const PROCESSOR_METADATA = 'holdfast:processor';
export const PROCESS_METADATA = 'holdfast:process';
export const JOB_EVENT_METADATA = 'holdfast:job-event';

/** Stands for every job name that no method asks for. */
export const ANY_JOB: unique symbol = Symbol.for('holdfast:any-job');

/** How the worker of a queue runs here: see `WorkerOptions`. */
export interface ProcessorOptions
  extends Pick<WorkerOptions, 'concurrency' | 'leaseMs' | 'timeoutMs' | 'backoffs'>,
    IsolationOptions {
  /** `false`: the worker claims nothing until `HoldfastWorkers.start` is called. Default: true. */
  readonly autoStart?: boolean;
}

/** The options of which the processors of a queue may give one value each. Complete because the compiler says so. */
const OPTION_NAMES: Record<keyof ProcessorOptions, true> = {
  concurrency: true,
  leaseMs: true,
  timeoutMs: true,
  backoffs: true,
  isolation: true,
  file: true,
  names: true,
  autoStart: true,
};

export const PROCESSOR_OPTION_NAMES = Object.keys(OPTION_NAMES) as readonly (keyof ProcessorOptions)[];

/** What processors can be told of: all that their worker tells, and what the application finds out beside it. */
export interface JobEvents extends WorkerEvents {
  /** A job waits that no processor of its queue handles here, by its name. Told once a name. */
  unhandled: UnhandledName;
}

/** A job name that waits in a queue that is worked on here, but that nobody handles here. */
export interface UnhandledName {
  readonly queue: string;
  readonly name: string;
  /** The names that are handled here. */
  readonly handled: readonly string[];
}

/** Which queue a processor works on, and how. */
export interface ProcessorSettings extends ProcessorOptions, OnConnection {
  /** As it is registered: `registerQueue({ name })`. */
  readonly queue: string;
}

/** Settings that configuration decides. What is injected is ready when it is constructed. */
export interface ProcessorFactory<Settings> {
  readonly useFactory: FactoryProvider<Settings>['useFactory'];
  readonly inject?: FactoryProvider['inject'];
}

/** `scope` and `durable` as in Nest's `@Injectable`. */
export type ProcessorArguments<Settings> = (Settings | ProcessorFactory<Settings>) & InjectableOptions;

export interface ProcessorMetadata {
  /** Undefined where the factory says it. */
  readonly queue: string | undefined;
  readonly settings: Partial<ProcessorSettings> | ProcessorFactory<Partial<ProcessorSettings>>;
}

/** A method of a processor, found in the application. */
export interface ProcessorMethod {
  readonly processor: ProcessorClass;
  readonly name: string;
}

export interface HandlerMethod extends ProcessorMethod {
  readonly job: string | typeof ANY_JOB;
}

export interface ListenerMethod extends ProcessorMethod {
  readonly event: keyof JobEvents;
}

/** `Class.method`, for messages. */
export function placeOf({ processor, name }: ProcessorMethod): string {
  return `${processor.name}.${name}`;
}

/** A processor class, found in the application. */
export interface FoundProcessor {
  readonly queue: string;
  readonly connection: string;
  readonly options: ProcessorOptions;
  /** Class name, for messages. */
  readonly place: string;
  readonly handlers: readonly HandlerMethod[];
  readonly listeners: readonly ListenerMethod[];
}
