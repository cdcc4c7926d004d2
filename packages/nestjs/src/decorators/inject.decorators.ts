import { Inject } from '@nestjs/common';
import { getQueueToken, HOLDFAST_STORE } from '../holdfast.tokens.js';

/** Injects the `Queue` of that name; its module imports `HoldfastModule.registerQueue({ name })`. */
export function InjectQueue(name: string): PropertyDecorator & ParameterDecorator {
  return Inject(getQueueToken(name));
}

/** Injects the `JobStore` of the application. */
export function InjectStore(): PropertyDecorator & ParameterDecorator {
  return Inject(HOLDFAST_STORE);
}
