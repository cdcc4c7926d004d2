import { InvalidArgumentError } from '@holdfast/contract';
import { type Job } from '@holdfast/core';
import {
  ApplicationConfig,
  type ContextId,
  ExternalContextCreator,
  type ModulesContainer,
  NestContainer,
} from '@nestjs/core';
import { BODY, type Enhancers, PARAMETERS } from '../nest-metadata.js';
import { HOLDFAST_CONTEXT } from './job-arguments.js';
import { lastValueOf } from './last-value.js';
import { type Method, type Methods } from './processor-class.js';

/** The modules of the application without its global guards, interceptors, pipes and filters, which are made for requests. */
class OwnEnhancers extends NestContainer {
  readonly #modules: ModulesContainer;

  constructor(modules: ModulesContainer) {
    super(new ApplicationConfig());
    this.#modules = modules;
  }

  override getModules(): ModulesContainer {
    return this.#modules;
  }
}

export function creatorOfOwnEnhancers(modules: ModulesContainer): ExternalContextCreator {
  return ExternalContextCreator.fromContainer(new OwnEnhancers(modules));
}

/**
 * Looks for the enhancers of a class in the module that provides it. The first releases of Nest 11 look in the first module
 * that has the class for a token, and where none has, they run no guard at all. What comes out is the last value of an Observable.
 */
export function creatorInModule(creator: ExternalContextCreator, moduleKey: string): ExternalContextCreator {
  const own: ExternalContextCreator = Object.create(creator);
  own.getContextModuleKey = () => moduleKey;
  own.transformToResult = lastValueOf;
  return own;
}

const payloads = {
  exchangeKeyForValue(type: number, property: unknown, [job]: [Job]): unknown {
    if (type !== BODY) {
      throw new InvalidArgumentError(
        'a parameter of a job handler',
        'decorated as a part of a request',
        'decorated with @Payload, @CurrentJob, @JobContext or by createParamDecorator',
      );
    }
    return typeof property === 'string' ? propertyOf(job.payload, property) : job.payload;
  },
};

function propertyOf(payload: unknown, property: string): unknown {
  return typeof payload === 'object' && payload !== null && Object.hasOwn(payload, property)
    ? (payload as Record<string, unknown>)[property]
    : undefined;
}

/** The method with everything of Nest's around it. `host` is the id of its provider. */
export function enhancedCall(
  creator: ExternalContextCreator,
  instance: Methods,
  method: string,
  enhancers: Enhancers,
  host: string,
  contextId?: ContextId,
): Method {
  const { guards, interceptors, filters } = enhancers;
  return creator.create(
    instance,
    instance[method]!,
    method,
    PARAMETERS,
    payloads,
    contextId,
    host,
    { guards, interceptors, filters },
    HOLDFAST_CONTEXT,
  );
}
