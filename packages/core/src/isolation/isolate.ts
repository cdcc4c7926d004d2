import type { FromIsolate, Thrown, ToIsolate } from './isolate-messages.js';

/** How an isolate ended. */
export interface IsolateEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  /** What nobody caught, where that is known. */
  readonly uncaught?: Thrown;
}

/** A thread or process with a module of handlers in it. It keeps nobody's process alive. */
export interface Isolate {
  /** Resolves, never rejects, when it is gone and its last message was heard. */
  readonly gone: Promise<IsolateEnd>;
  /** @throws what the system says of a value that cannot cross */
  post(message: ToIsolate): void;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
}

export type StartIsolate = (hear: (message: FromIsolate) => void) => Isolate;
