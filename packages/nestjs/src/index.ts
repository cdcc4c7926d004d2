export { HoldfastModule } from './holdfast.module.js';
export { getQueueToken, HOLDFAST_STORE } from './holdfast.tokens.js';
export type { HoldfastOptions } from './holdfast-options.js';
export type { StoreSource } from './store-source.js';
