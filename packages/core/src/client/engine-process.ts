import type { Port } from '../protocol/port.js';

/** An engine that was started somewhere else than in the caller's own code: on a thread of its own, or, for tests, in this one. */
export interface EngineProcess {
  /** Its first message is `opened` or `refused`. */
  readonly port: Port;
  /** Resolves, never rejects, once it is gone and holds nothing any more; says in plain words how it ended. */
  readonly gone: Promise<string>;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
  /** Keeps the application's process alive, or lets it end. At first it is kept alive. */
  hold(alive: boolean): void;
}

export type StartEngine = () => EngineProcess;
