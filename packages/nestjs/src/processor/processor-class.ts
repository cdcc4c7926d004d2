import { type Type } from '@nestjs/common';
import { type DiscoveryService, ModuleRef } from '@nestjs/core';
import { type JobScope } from './job-scope.js';

/** How Nest holds a provider. */
export type Provider = ReturnType<DiscoveryService['getProviders']>[number];

export type Method = (...args: readonly unknown[]) => unknown;

/** An instance of a processor, seen as what has the method that is asked for. */
export type Methods = Record<string, Method>;

/** The class of a processor, as the application provides it. */
export class ProcessorClass {
  readonly type: Type<Methods>;
  readonly moduleRef: ModuleRef;
  readonly #provider: Provider;

  constructor(provider: Provider, type: Type<Methods>) {
    this.type = type;
    this.#provider = provider;
    // Resolves as the module does that provides the processor.
    this.moduleRef = provider.host!.getProviderByKey<ModuleRef>(ModuleRef).instance;
  }

  get name(): string {
    return this.type.name;
  }

  /** How Nest tells providers of one class apart. */
  get id(): string {
    return this.#provider.id;
  }

  /** How Nest tells the modules apart: the one that provides the class. */
  get moduleKey(): string {
    return this.#provider.host!.token;
  }

  /** The one for all jobs; `undefined` where each job has its own, or shares it by a strategy. */
  get instance(): Methods | undefined {
    return this.#provider.isDependencyTreeStatic() && !this.#provider.isTransient ? this.#provider.instance : undefined;
  }

  /** Of all that is made for an attempt. */
  contextId(scope: JobScope): ReturnType<JobScope['contextId']> {
    return scope.contextId(this.#provider.isDependencyTreeDurable(), this.moduleRef);
  }

  /** Made at the first call, with what it injects; the same for every later call with that scope. */
  async instanceFor(scope: JobScope): Promise<Methods> {
    return (
      this.instance ?? this.moduleRef.resolve(this.#provider.token as Type, this.contextId(scope), { strict: true })
    );
  }
}
