import { InvalidArgumentError } from '@holdfast/contract';
import { type Handler, type Job, type JobContext } from '@holdfast/core';
import { Injectable } from '@nestjs/common';
import { ExternalContextCreator, ModulesContainer } from '@nestjs/core';
import { type Enhancers, enhancerClassesOf, enhancersOf } from '../nest-metadata.js';
import { creatorInModule, creatorOfOwnEnhancers, enhancedCall } from './enhanced-call.js';
import { JobScope } from './job-scope.js';
import { lastValueOf } from './last-value.js';
import { type ProcessorClass } from './processor-class.js';
import { type ProcessorMethod } from './processor-metadata.js';

/** Calls a method for one attempt. */
type ScopedHandler = (job: Job, context: JobContext, scope: JobScope) => unknown;

/** Makes calls of the methods of processors: as plain as the method allows. */
@Injectable()
export class ProcessorCalls {
  readonly #modules: ModulesContainer;
  readonly #withGlobals: ExternalContextCreator;

  constructor(modules: ModulesContainer, withGlobals: ExternalContextCreator) {
    this.#modules = modules;
    this.#withGlobals = withGlobals;
  }

  /**
   * `begin` makes the scope of an attempt. A method of a singleton that nothing stands around is called as it is, and
   * pays for no scope.
   * @throws InvalidArgumentError where something ought to stand around the method, but would not.
   */
  handler(method: ProcessorMethod, withGlobals: boolean, begin: JobScopeMaker | undefined): Handler {
    const call = this.#scopedHandler(method, withGlobals);
    if (begin !== undefined) return (job, context) => begin(job, context, (scope) => call(job, context, scope));
    if (method.processor.instance !== undefined) return call as Handler;
    return (job, context) => call(job, context, new JobScope(job, context));
  }

  /** The hook, in the scope of the attempt that it is told of. */
  hook({ processor, name }: ProcessorMethod): (event: unknown, scope: JobScope) => unknown {
    const { instance } = processor;
    if (instance !== undefined) return (event) => instance[name]!(event);
    return async (event, scope) => (await processor.instanceFor(scope))[name]!(event);
  }

  #scopedHandler({ processor, name }: ProcessorMethod, withGlobals: boolean): ScopedHandler {
    const { instance, type, id } = processor;
    const own = enhancersOf(type, name, type.prototype[name]);
    const enhancers = withGlobals ? ALL : own;
    const isPlain = !Object.values(enhancers).some(Boolean);
    this.#checkMade(processor, name);
    if (withGlobals) this.#checkGlobals();
    // One a class: Nest 11 keeps what it knows of a method by the name of the class.
    const creator = creatorInModule(
      withGlobals ? this.#withGlobals : creatorOfOwnEnhancers(this.#modules),
      processor.moduleKey,
    );
    if (instance !== undefined) {
      if (!isPlain) return enhancedCall(creator, instance, name, enhancers, id);
      return async (job, context) => lastValueOf(await instance[name]!(job, context));
    }
    return async (job, context, scope) => {
      const made = await processor.instanceFor(scope);
      if (isPlain) return lastValueOf(await made[name]!(job, context));
      return enhancedCall(creator, made, name, enhancers, id, processor.contextId(scope))(job, context);
    };
  }

  /** Nest makes these for requests to controllers alone: around a handler one would stand whose constructor never ran. */
  #checkGlobals(): void {
    for (const { injectables } of this.#modules.values()) {
      const [, wrapper] = [...injectables].find(([token]) => GLOBAL_ENHANCER.test(String(token))) ?? [];
      if (wrapper === undefined) continue;
      const name = wrapper.metatype?.name ?? String(wrapper.name);
      throw new InvalidArgumentError(
        'globalEnhancers',
        true,
        `false beside ${name}, a global enhancer that is made for each request`,
        `Give ${name} the default scope, or put what jobs need of it on the processors with @UseGuards and the like.`,
      );
    }
  }

  /** Nest leaves out a guard of which it has made no instance, without a word. */
  #checkMade({ type, name: processor, moduleKey }: ProcessorClass, method: string): void {
    const made = this.#modules.get(moduleKey)?.injectables;
    const absent = enhancerClassesOf(type, method, type.prototype[method]!).find((enhancer) => !made?.has(enhancer));
    if (absent === undefined) return;
    throw new InvalidArgumentError(
      `the provider of ${processor}`,
      'another than its class',
      `the class itself: here Nest makes no ${absent.name}, and ${processor}.${method} would run without it`,
      `Put ${processor} among the providers as it is, or decorate it with an instance: new ${absent.name}(…).`,
    );
  }
}

/** Runs the handler of an attempt in its scope. */
export type JobScopeMaker = (job: Job, context: JobContext, work: (scope: JobScope) => unknown) => unknown;

/** What Nest calls a provider of APP_GUARD and so on; those that are no singletons are among the injectables of their module. */
const GLOBAL_ENHANCER = /^APP_(GUARD|INTERCEPTOR|PIPE|FILTER) /;

const ALL: Enhancers = { guards: true, interceptors: true, filters: true, parameters: true };
