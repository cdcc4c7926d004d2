import type { JobStore } from '@holdfast/contract';

/** How the application gets its store: opened once while the application boots, closed last when it ends. */
export interface StoreSource {
  /** A rejection ends the boot; its message should name the place and the next step. */
  open(): Promise<JobStore>;
}
