import { SetMetadata } from '@nestjs/common';
import { ANY_JOB, PROCESS_METADATA } from '../processor/processor-metadata.js';

/**
 * The method handles jobs of that name, or, without a name, all that no other method handles. It is called with job and
 * context, unless its parameters say by decorators what they are: `@Payload()`, `@CurrentJob()`, `@JobContext()`. May be
 * given more than once. Jobs of names that no method handles wait for an application that knows them.
 */
export function Process(name?: string) {
  // A descriptor also has a setter, so it fits no type but the method's own: hence the parameter.
  return <Method extends (...args: never[]) => unknown>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const method = descriptor.value!;
    const before: unknown = Reflect.getOwnMetadata(PROCESS_METADATA, method);
    const names = [...(Array.isArray(before) ? before : []), name ?? ANY_JOB];
    SetMetadata(PROCESS_METADATA, names)(target, key, descriptor);
  };
}
