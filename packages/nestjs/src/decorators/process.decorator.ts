import { type JobContext } from '@holdfast/core';
import { SetMetadata } from '@nestjs/common';
import { ANY_JOB, PROCESS_METADATA } from '../processor/processor-metadata.js';

/** A method that can be a handler: `(job, context) => result`, or less. */
type HandlerMethod = (job: never, context: JobContext) => unknown;

/**
 * The method handles jobs of that name, or, without a name, all that no other method handles. May be given more than
 * once. Jobs of names that no method handles wait for an application that knows them.
 */
export function Process(name?: string) {
  // A descriptor also has a setter, so it fits no type but the method's own: hence the parameter.
  return <Method extends HandlerMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const method = descriptor.value!;
    const before: unknown = Reflect.getMetadata(PROCESS_METADATA, method);
    const names = [...(Array.isArray(before) ? before : []), name ?? ANY_JOB];
    SetMetadata(PROCESS_METADATA, names)(target, key, descriptor);
  };
}
