import { InvalidArgumentError } from '@holdfast/contract';
import { type FactoryProvider, Inject, Optional, type Type } from '@nestjs/common';
import { type ModuleRef } from '@nestjs/core';
import { type ProcessorFactory, type ProcessorMetadata, type ProcessorSettings } from './processor-metadata.js';

/**
 * What the decorator of a processor says, or its factory with what it injects, as the module of the processor sees it.
 * @throws InvalidArgumentError when nobody names the queue; what the factory throws.
 */
export async function settingsOf(
  { queue: named, settings }: ProcessorMetadata,
  place: string,
  moduleRef: ModuleRef,
): Promise<ProcessorSettings> {
  const made = 'useFactory' in settings ? await callFactory(settings, moduleRef) : settings;
  const queue = named ?? made?.queue;
  if (typeof queue === 'string') return { ...made, queue };
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
