import type { JobStore } from '@holdfast/contract';

export interface OpenOptions {
  /** After that long nobody waits for the store any more. Milliseconds. */
  readonly timeoutMs: number;
}

/** How the application gets its store: opened once while the application boots, closed last when it ends. */
export interface StoreSource {
  /** The directory or the host, for the message when opening takes too long. */
  readonly location?: string;
  /** A rejection ends the boot; its message should name the place and the next step. */
  open(options: OpenOptions): Promise<JobStore>;
}
