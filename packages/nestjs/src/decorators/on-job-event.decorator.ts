import { type WorkerEvents } from '@holdfast/core';
import { SetMetadata } from '@nestjs/common';
import { JOB_EVENT_METADATA } from '../processor/processor-metadata.js';

/**
 * The method of a processor is called for each such event of its queue's worker in this application: `completed`,
 * `failed` (there will be another attempt), `dead`, `released`, `leaseLost`, `stale`, `error`. What it throws becomes a
 * process warning and changes nothing.
 */
export function OnJobEvent<Name extends keyof WorkerEvents>(name: Name) {
  return <Method extends (event: WorkerEvents[Name]) => unknown>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    SetMetadata(JOB_EVENT_METADATA, name)(target, key, descriptor);
  };
}
