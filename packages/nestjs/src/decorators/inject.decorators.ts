import { Inject } from '@nestjs/common';
import { getQueueToken, getStoreToken } from '../holdfast.tokens.js';

/** Injects the `Queue` of that name; its module imports `HoldfastModule.registerQueue({ name, connection })`. */
export function InjectQueue(name: string, connection?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getQueueToken(name, connection));
}

/** Injects the `JobStore` of the application, or that of a named connection. */
export function InjectStore(connection?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getStoreToken(connection));
}
