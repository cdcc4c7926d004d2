import { HoldfastError, InvalidArgumentError } from '@holdfast/contract';
import { checkedRun } from '@holdfast/core';
import { type FactoryProvider, Inject, Optional, type Type } from '@nestjs/common';
import { type ModuleRef } from '@nestjs/core';
import { CHECKED_ELSEWHERE, checkOptions, FLAG, FUNCTION, LIST, type OptionRule, TEXT } from '../checked-options.js';
import { ProcessorOptionError } from '../holdfast.errors.js';
import {
  PROCESSOR_METADATA,
  type ProcessorFactory,
  type ProcessorMetadata,
  type ProcessorSettings,
} from './processor-metadata.js';

/** `checkedRun` and those who make the worker look at the values of the others. */
const SETTINGS: Record<keyof ProcessorSettings, OptionRule> = {
  queue: CHECKED_ELSEWHERE,
  connection: TEXT,
  concurrency: CHECKED_ELSEWHERE,
  leaseMs: CHECKED_ELSEWHERE,
  timeoutMs: CHECKED_ELSEWHERE,
  backoffs: CHECKED_ELSEWHERE,
  isolation: CHECKED_ELSEWHERE,
  file: CHECKED_ELSEWHERE,
  names: { allowed: 'a list of job names', fits: (value) => Array.isArray(value) && value.every(TEXT.fits) },
  autoStart: FLAG,
};

/** What a class says itself, before anything is made. @throws InvalidArgumentError, ProcessorOptionError */
export function checkProcessorClass(type: { readonly name: string }): void {
  const metadata: ProcessorMetadata | undefined = Reflect.getMetadata(PROCESSOR_METADATA, type);
  if (metadata === undefined) return;
  const { queue, settings } = metadata;
  if ('useFactory' in settings) {
    checkOptions(`@Processor on ${type.name}`, settings, { useFactory: FUNCTION, inject: LIST });
  } else {
    checkSettings(queue ?? settings.queue, settings, type.name);
  }
}

function checkSettings(queue: string | undefined, settings: Partial<ProcessorSettings>, place: string): void {
  checkOptions(`@Processor on ${place}`, settings, SETTINGS);
  try {
    checkedRun(settings);
  } catch (error) {
    throw error instanceof HoldfastError ? new ProcessorOptionError(String(queue), [place], error) : error;
  }
}

/**
 * What the decorator of a processor says, or its factory with what it injects, as the module of the processor sees it.
 * @throws InvalidArgumentError when nobody names the queue, or an option is wrong; what the factory throws.
 */
export async function settingsOf(
  { queue: named, settings }: ProcessorMetadata,
  place: string,
  moduleRef: ModuleRef,
): Promise<ProcessorSettings> {
  const made = 'useFactory' in settings ? await callFactory(settings, moduleRef) : settings;
  const queue = named ?? made?.queue;
  if (typeof queue === 'string') {
    checkSettings(queue, made ?? {}, place);
    return { ...made, queue };
  }
  throw new InvalidArgumentError(`queue of @Processor on ${place}`, queue, 'the name of a registered queue');
}

async function callFactory(
  { useFactory, inject = [] }: ProcessorFactory<Partial<ProcessorSettings>>,
  moduleRef: ModuleRef,
): Promise<Partial<ProcessorSettings>> {
  return useFactory(...(await injected(inject, moduleRef)));
}

/**
 * Through a class that is constructed as if it stood in the module, so that imports and their exports count as they do
 * for the processor itself.
 */
async function injected(tokens: NonNullable<FactoryProvider['inject']>, moduleRef: ModuleRef): Promise<unknown[]> {
  class FactoryArguments {
    readonly values: unknown[];

    constructor(...values: unknown[]) {
      this.values = values;
    }
  }
  for (const [index, entry] of tokens.entries()) {
    const isChoice = typeof entry === 'object' && 'token' in entry;
    Inject(isChoice ? entry.token : entry)(FactoryArguments, undefined, index);
    if (isChoice && entry.optional) Optional()(FactoryArguments, undefined, index);
  }
  const { values } = await moduleRef.create<FactoryArguments>(FactoryArguments as Type<FactoryArguments>);
  return values;
}
