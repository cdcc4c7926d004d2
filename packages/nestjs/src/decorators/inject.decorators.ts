import { Inject } from '@nestjs/common';
import { getQueueToken, getStoreToken, HOLDFAST_JOB } from '../holdfast.tokens.js';

/** Injects the `Queue` of that name; its module imports `HoldfastModule.registerQueue({ name, connection })`. */
export function InjectQueue(name: string, connection?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getQueueToken(name, connection));
}

/** Injects the `JobStore` of the application, or that of a named connection. */
export function InjectStore(connection?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getStoreToken(connection));
}

/**
 * Injects the `Job` that the class is made for: into a processor, or into anything that a processor injects. Each job then
 * has instances of its own of all these classes, shared by its handler and its hooks. In a hook of a job whose handler
 * never ran it has no payload.
 */
export function InjectJob(): PropertyDecorator & ParameterDecorator {
  return Inject(HOLDFAST_JOB);
}
