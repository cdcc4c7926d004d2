import { checkKeys } from '@holdfast/contract/rules';
import { Injectable, type InjectableOptions, SetMetadata } from '@nestjs/common';
import { type OnConnection } from '../holdfast-options.js';
import { INJECTABLE_KEYS } from '../nest-metadata.js';
import {
  PROCESSOR_METADATA,
  type ProcessorArguments,
  type ProcessorMetadata,
  type ProcessorOptions,
  type ProcessorSettings,
} from '../processor/processor-metadata.js';

/**
 * The class handles jobs of the queue, with methods that say which: `@Process('send')`, or all of them by extending
 * `WorkerHost`. Add it to the providers of a module. Several classes may share a queue; they become one worker, which
 * takes its options from whichever class gives them.
 *
 * Options that configuration decides come from a factory, the queue among them if need be:
 * `@Processor({ inject: [Config], useFactory: (config: Config) => ({ queue: config.queue, concurrency: config.jobs }) })`.
 */
export function Processor(queue: string, options?: ProcessorArguments<ProcessorOptions & OnConnection>): ClassDecorator;
export function Processor(settings: ProcessorArguments<ProcessorSettings>): ClassDecorator;
export function Processor(
  first: string | ProcessorArguments<ProcessorSettings>,
  second: ProcessorArguments<ProcessorOptions & OnConnection> = {},
): ClassDecorator {
  const given: ProcessorArguments<Partial<ProcessorSettings>> = typeof first === 'string' ? second : first;
  checkKeys('what @Processor is given', given);
  const { scope, durable, ...settings } = given;
  const metadata: ProcessorMetadata = { queue: typeof first === 'string' ? first : undefined, settings };
  return (target) => {
    makeInjectable(target, {
      ...(scope === undefined ? {} : { scope }),
      ...(durable === undefined ? {} : { durable }),
    });
    SetMetadata(PROCESSOR_METADATA, metadata)(target);
  };
}

/** What an `@Injectable` of the class's own said stands, unless the processor says otherwise. */
function makeInjectable(target: Parameters<ClassDecorator>[0], options: InjectableOptions): void {
  const isInjectable = INJECTABLE_KEYS.some((key) => Reflect.hasOwnMetadata(key, target));
  if (!isInjectable || Object.keys(options).length > 0) Injectable(options)(target);
}
