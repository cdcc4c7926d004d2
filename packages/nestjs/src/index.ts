export { HoldfastAdminModule } from './admin/admin.module.js';
export type {
  AdminContext,
  AdminEnvironment,
  AdminIdentity,
  HoldfastAdminAsyncOptions,
  HoldfastAdminOptions,
  HoldfastAdminSettings,
} from './admin/admin-options.js';
export { HoldfastModule } from './holdfast.module.js';
export { getQueueToken, HOLDFAST_STORE } from './holdfast.tokens.js';
export type { HoldfastOptions } from './holdfast-options.js';
export type { StoreSource } from './store-source.js';
