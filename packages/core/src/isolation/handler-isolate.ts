import type { Clock, TimerHandle } from '@holdfast/contract';
import type { Job, JobContext } from '../queue/handler.js';
import { LostResult } from '../queue/lost-result.js';
import type { Isolate, IsolateEnd, StartIsolate } from './isolate.js';
import { IsolateEndedError } from './isolate-ended-error.js';
import type { FromIsolate, ToIsolate } from './isolate-messages.js';
import { fromThrown, toThrown } from './thrown.js';

/** Between the abort of a signal and the kill. Shorter than a worker waits, so that the end of the handler is known by then. */
export const KILL_AFTER_MS = 400;

export interface HandlerIsolateOptions {
  readonly isolation: 'thread' | 'process';
  readonly start: StartIsolate;
  readonly clock: Clock;
}

interface Run {
  readonly number: number;
  readonly context: JobContext;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One isolate with at most one attempt in it. */
export class HandlerIsolate {
  /** Never rejects. */
  readonly gone: Promise<IsolateEnd>;
  readonly #options: HandlerIsolateOptions;
  readonly #isolate: Isolate;
  #run: Run | undefined;
  #runs = 0;
  #isUsable = true;
  #idleTimer: TimerHandle | undefined;

  constructor(options: HandlerIsolateOptions) {
    this.#options = options;
    this.#isolate = options.start((message) => this.#hear(message));
    this.gone = this.#isolate.gone;
    void this.gone.then((end) => this.#ended(end));
  }

  /** Another attempt may be run. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Resolves and rejects as the handler does, or as its end says. One attempt at a time. */
  async run(job: Job, context: JobContext): Promise<unknown> {
    const { clock } = this.#options;
    const { signal, token, attempt, worker } = context;
    let killTimer: TimerHandle | undefined;
    const abort = () => {
      this.#isolate.post({ kind: 'abort', reason: signal.reason.reason });
      killTimer = clock.setTimer(KILL_AFTER_MS, () => {
        this.kill();
        this.#run?.reject(signal.reason);
      });
    };
    try {
      return await new Promise<unknown>((resolve, reject) => {
        const number = ++this.#runs;
        this.#run = { number, context, resolve, reject };
        this.#isolate.post({ kind: 'run', run: number, job, context: { token, attempt, worker } });
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort, { once: true });
      });
    } finally {
      this.#run = undefined;
      signal.removeEventListener('abort', abort);
      if (killTimer !== undefined) clock.clearTimer(killTimer);
    }
  }

  /** Tells it to end. */
  end(): void {
    this.#isUsable = false;
    this.stopIdling();
    this.#isolate.post({ kind: 'end' });
  }

  kill(): void {
    this.#isUsable = false;
    this.#isolate.kill();
  }

  idleFor(ms: number, then: () => void): void {
    this.#idleTimer = this.#options.clock.setTimer(ms, then, true);
  }

  stopIdling(): void {
    if (this.#idleTimer !== undefined) this.#options.clock.clearTimer(this.#idleTimer);
    this.#idleTimer = undefined;
  }

  #hear(message: FromIsolate): void {
    const run = this.#run;
    // All else that handlers tell is short text: it can only be what this one returned.
    if (message.kind === 'unreadable') run?.resolve(new LostResult(message.why));
    if (run === undefined || message.run !== run.number) return;
    switch (message.kind) {
      case 'returned':
        run.resolve(message.value);
        break;
      case 'lostResult':
        run.resolve(new LostResult(message.why));
        break;
      case 'threw':
        if (message.broken === true) this.end();
        run.reject(fromThrown(message.thrown, run.context.signal.reason));
        break;
      case 'progress':
        run.context.progress(message.value);
        break;
      case 'log':
        run.context.log(message.line);
        break;
      case 'extend':
        void this.#extend(run, message.call, message.leaseMs);
        break;
    }
  }

  async #extend(run: Run, call: number, leaseMs: number | undefined): Promise<void> {
    const { context } = run;
    try {
      await context.extend(leaseMs);
      this.#answer(run, { kind: 'extended', call });
    } catch (error) {
      this.#answer(run, { kind: 'extended', call, thrown: toThrown(error, context.signal.reason) });
    }
  }

  /** A handler may return without its answers. Each attempt counts its calls anew, so the next one would take them for its own. */
  #answer(run: Run, answer: Extract<ToIsolate, { kind: 'extended' }>): void {
    if (this.#run === run) this.#isolate.post(answer);
  }

  #ended({ exitCode, signal, uncaught }: IsolateEnd): void {
    this.#isUsable = false;
    const cause = uncaught === undefined ? {} : { cause: fromThrown(uncaught, undefined) };
    this.#run?.reject(new IsolateEndedError(this.#options.isolation, { exitCode, signal, ...cause }));
  }
}
