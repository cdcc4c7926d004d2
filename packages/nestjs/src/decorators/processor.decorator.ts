import { Injectable, SetMetadata } from '@nestjs/common';
import { PROCESSOR_METADATA, type ProcessorMetadata, type ProcessorOptions } from '../processor/processor-metadata.js';

/**
 * The class handles jobs of the queue, with methods that say which: `@Process('send')`. Add it to the providers of a
 * module. Several classes may share a queue; they become one worker, which takes its options from whichever class gives
 * them.
 */
export function Processor(queue: string, options: ProcessorOptions = {}): ClassDecorator {
  const metadata: ProcessorMetadata = { queue, options };
  return (target) => {
    Injectable()(target);
    SetMetadata(PROCESSOR_METADATA, metadata)(target);
  };
}
