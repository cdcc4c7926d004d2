import { SetMetadata } from '@nestjs/common';
import { JOB_EVENT_METADATA, type JobEvents } from '../processor/processor-metadata.js';

/**
 * The method of a processor is called for each such event of its queue's worker in this application: `completed`,
 * `progress`, `failed` (there will be another attempt), `dead`, `cancelled`, `released`, `runaway`, `runawayEnded`, `leaseLost`, `blocked`,
 * `stale`, `error`, and for each job name that waits although nobody handles it here: `unhandled`. May be given more than once. What it throws becomes a
 * process warning and changes nothing.
 */
export function OnJobEvent<Name extends keyof JobEvents>(name: Name) {
  return <Method extends (event: JobEvents[Name]) => unknown>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const before: unknown = Reflect.getOwnMetadata(JOB_EVENT_METADATA, descriptor.value!);
    const names = [...(Array.isArray(before) ? before : []), name];
    SetMetadata(JOB_EVENT_METADATA, names)(target, key, descriptor);
  };
}
