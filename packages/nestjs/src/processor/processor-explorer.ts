import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModuleRef, Reflector } from '@nestjs/core';
import { NoHandlerError } from '../holdfast.errors.js';
import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import {
  type FoundProcessor,
  type HandlerMethod,
  JOB_EVENT_METADATA,
  type ListenerMethod,
  PROCESS_METADATA,
  PROCESSOR_METADATA,
  type ProcessorMetadata,
} from './processor-metadata.js';
import { settingsOf } from './processor-settings.js';

type Provider = ReturnType<DiscoveryService['getProviders']>[number];
type Method = (...args: readonly unknown[]) => unknown;

/** Finds the processors among the providers of the application. */
@Injectable()
export class ProcessorExplorer {
  readonly #discovery: DiscoveryService;
  readonly #reflector: Reflector;
  readonly #scanner: MetadataScanner;

  constructor(discovery: DiscoveryService, reflector: Reflector, scanner: MetadataScanner) {
    this.#discovery = discovery;
    this.#reflector = reflector;
    this.#scanner = scanner;
  }

  /**
   * Each class once, also when several modules provide it.
   * @throws NoHandlerError for a processor that can never run; what the factory of its settings throws.
   */
  async find(): Promise<FoundProcessor[]> {
    const found = new Map<unknown, Promise<FoundProcessor>>();
    for (const provider of this.#discovery.getProviders()) {
      const type = classOf(provider);
      if (type === undefined || found.has(type)) continue;
      const metadata = this.#reflector.get<ProcessorMetadata | undefined>(PROCESSOR_METADATA, type);
      if (metadata !== undefined) found.set(type, this.#describe(provider, type.name, metadata));
    }
    return Promise.all(found.values());
  }

  async #describe(provider: Provider, place: string, metadata: ProcessorMetadata): Promise<FoundProcessor> {
    const {
      queue,
      connection = DEFAULT_CONNECTION,
      ...options
    } = await settingsOf(metadata, place, moduleOf(provider));
    if (!provider.isDependencyTreeStatic()) {
      const problem =
        'it, or something it injects, is request-scoped or transient, and a job is no request. Make it a singleton.';
      throw new NoHandlerError(place, queue, problem);
    }
    const instance: Record<string, Method> = provider.instance;
    const names = this.#scanner.getAllMethodNames(Object.getPrototypeOf(instance));
    const handlers = names.flatMap((name) => this.#handlersOf(instance, name, place));
    const listeners = names.flatMap((name) => this.#listenersOf(instance, name));
    if (handlers.length + listeners.length === 0) {
      throw new NoHandlerError(place, queue, "none of its methods handles a job. Put @Process('name') on one.");
    }
    return { queue, connection, options, place, handlers, listeners };
  }

  #handlersOf(instance: Record<string, Method>, name: string, place: string): HandlerMethod[] {
    const method = instance[name]!;
    const jobs = this.#reflector.get<HandlerMethod['job'][] | undefined>(PROCESS_METADATA, method) ?? [];
    return jobs.map((job) => ({ job, place: `${place}.${name}`, call: method.bind(instance) }));
  }

  #listenersOf(instance: Record<string, Method>, name: string): ListenerMethod[] {
    const method = instance[name]!;
    const event = this.#reflector.get<ListenerMethod['event'] | undefined>(JOB_EVENT_METADATA, method);
    return event === undefined ? [] : [{ event, call: method.bind(instance) }];
  }
}

/** The class of what a provider provides, however it does; undefined for values without one. */
function classOf({ instance, metatype }: Provider): (new (...args: never[]) => unknown) | undefined {
  const type: unknown = instance?.constructor ?? metatype;
  return typeof type === 'function' ? (type as new (...args: never[]) => unknown) : undefined;
}

/** Resolves as the module does that provides the processor. */
function moduleOf({ host }: Provider): ModuleRef {
  return host!.getProviderByKey<ModuleRef>(ModuleRef).instance;
}
