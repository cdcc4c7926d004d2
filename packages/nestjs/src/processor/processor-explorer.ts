import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { NoHandlerError, NoProcessorError } from '../holdfast.errors.js';
import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import { type Methods, ProcessorClass, type Provider } from './processor-class.js';
import {
  ANY_JOB,
  type FoundProcessor,
  type HandlerMethod,
  JOB_EVENT_METADATA,
  type ListenerMethod,
  PROCESS_METADATA,
  PROCESSOR_METADATA,
  type ProcessorMetadata,
} from './processor-metadata.js';
import { settingsOf } from './processor-settings.js';
import { WorkerHost } from './worker-host.js';

/** Finds the processors among the providers of the application. */
@Injectable()
export class ProcessorExplorer {
  readonly #discovery: DiscoveryService;
  readonly #reflector: Reflector;
  readonly #scanner: MetadataScanner;
  /** Classes that were looked at and are no processors. */
  readonly #plain = new Set<unknown>();

  constructor(discovery: DiscoveryService, reflector: Reflector, scanner: MetadataScanner) {
    this.#discovery = discovery;
    this.#reflector = reflector;
    this.#scanner = scanner;
  }

  /**
   * Each class once, also when several modules provide it.
   * @throws NoHandlerError for a processor that can never run, NoProcessorError for handlers that nobody would find; what the factory of its settings throws.
   */
  async find(): Promise<FoundProcessor[]> {
    const found = new Map<unknown, Promise<FoundProcessor>>();
    for (const provider of this.#discovery.getProviders()) {
      // What another name stands for is found by itself, in the module whose guards and other enhancers are its own.
      if (provider.isAlias) continue;
      const type = classOf(provider);
      if (type === undefined || found.has(type)) continue;
      const metadata = this.#reflector.get<ProcessorMetadata | undefined>(PROCESSOR_METADATA, type);
      if (metadata === undefined) this.#checkNone(type);
      else found.set(type, this.#describe(new ProcessorClass(provider, type), metadata));
    }
    return Promise.all(found.values());
  }

  /** @throws NoProcessorError when a class that is no processor handles jobs all the same. */
  #checkNone(type: Type<Methods>): void {
    const prototype: Methods | undefined = type.prototype;
    if (this.#plain.has(type) || typeof prototype !== 'object') return;
    this.#plain.add(type);
    const method = this.#scanner
      .getAllMethodNames(prototype)
      .find((name) => [PROCESS_METADATA, JOB_EVENT_METADATA].some((key) => Reflect.hasMetadata(key, prototype[name]!)));
    if (method !== undefined) throw new NoProcessorError(type.name, `its method ${method} is decorated for one`);
    if (prototype instanceof WorkerHost) throw new NoProcessorError(type.name, 'it extends WorkerHost');
  }

  async #describe(processor: ProcessorClass, metadata: ProcessorMetadata): Promise<FoundProcessor> {
    const place = processor.name;
    const settings = await settingsOf(metadata, place, processor.moduleRef);
    const { queue, connection = DEFAULT_CONNECTION, ...options } = settings;
    const methods = this.#scanner.getAllMethodNames(processor.type.prototype);
    const handlers = methods.flatMap((name) => this.#handlersOf(processor, name));
    const listeners = methods.flatMap((name) => this.#listenersOf(processor, name));
    const isIsolated = options.isolation !== undefined;
    if (isIsolated || handlers.length + listeners.length > 0)
      return { queue, connection, options, place, handlers, listeners };
    const problem = "none of its methods handles a job. Put @Process('name') on one, or extend WorkerHost.";
    throw new NoHandlerError(place, queue, problem);
  }

  #handlersOf(processor: ProcessorClass, name: string): HandlerMethod[] {
    const method = processor.type.prototype[name];
    const jobs = this.#reflector.get<HandlerMethod['job'][] | undefined>(PROCESS_METADATA, method) ?? [];
    const isHost = name === 'process' && processor.type.prototype instanceof WorkerHost;
    const all: HandlerMethod['job'][] = isHost && !jobs.includes(ANY_JOB) ? [...jobs, ANY_JOB] : jobs;
    return all.map((job) => ({ job, processor, name }));
  }

  #listenersOf(processor: ProcessorClass, name: string): ListenerMethod[] {
    const method = processor.type.prototype[name];
    const events = this.#reflector.get<ListenerMethod['event'][] | undefined>(JOB_EVENT_METADATA, method) ?? [];
    return events.map((event) => ({ event, processor, name }));
  }
}

/** The class of what a provider provides, however it does; undefined for values without one. */
function classOf({ instance, metatype }: Provider): Type<Methods> | undefined {
  const type: unknown = instance?.constructor ?? metatype;
  return typeof type === 'function' ? (type as Type<Methods>) : undefined;
}
