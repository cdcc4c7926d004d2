import type { Output } from './terminal/output.js';
import type { Progress } from './terminal/progress.js';

/** What a command may use of the world. */
export interface CommandContext {
  readonly out: Output;
  readonly err: Output;
  readonly progress: Progress;
  /** Wall-clock epoch milliseconds. */
  now(): number;
  /** Resolves when the process is asked to end. Until it is called, that ends it at once. */
  stopped(): Promise<void>;
}
