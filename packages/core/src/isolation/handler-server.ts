import { InvalidArgumentError, JobAbortedError } from '@holdfast/contract';
import type { Handler, JobContext } from '../queue/handler.js';
import { checkedProgress } from '../queue/job-notes.js';
import { toJobError } from '../queue/outcome.js';
import type { FromIsolate, IsolatedRun, ToIsolate } from './isolate-messages.js';
import { fromThrown, toThrown } from './thrown.js';

/** What a module of handlers exports. */
export interface HandlerModule {
  /** One handler for all names, or handlers by name. */
  readonly default?: unknown;
  /** Called before the isolate ends in order. */
  readonly close?: unknown;
}

export interface HandlerServer {
  hear(message: Exclude<ToIsolate, { kind: 'end' }>): void;
  /** Never rejects. */
  end(): Promise<void>;
}

/** Runs the handlers of a module for whoever is at the other end, one attempt at a time. */
export function serveHandlers(url: string, tell: (message: FromIsolate) => void): HandlerServer {
  let current: Attempt | undefined;
  const loading = load(url);
  // Whoever runs a job is told.
  loading.catch(() => {});
  return {
    hear(message) {
      if (message.kind === 'run') {
        current = new Attempt(message, tell);
        void current.run(loading);
      } else if (message.kind === 'abort') current?.abort(message.reason);
      else current?.extended(message.call, message.thrown);
    },
    async end() {
      // One that did not load has told so.
      const module = await loading.catch(() => undefined);
      try {
        if (typeof module?.close === 'function') await module.close();
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    },
  };
}

async function load(url: string): Promise<HandlerModule> {
  const module: HandlerModule = await import(url);
  const exported = module.default;
  // What a CommonJS module exports is its default; one that was compiled to that keeps its own default in there.
  const isCompiled = typeof exported === 'object' && exported !== null && '__esModule' in exported;
  return isCompiled ? (exported as HandlerModule) : module;
}

type Waiting = (thrown: unknown) => void;

/** One attempt in an isolate. */
class Attempt {
  readonly #given: IsolatedRun;
  readonly #tell: (message: FromIsolate) => void;
  readonly #controller = new AbortController();
  readonly #extensions = new Map<number, Waiting>();
  #aborted: JobAbortedError | undefined;
  #calls = 0;

  constructor(given: IsolatedRun, tell: (message: FromIsolate) => void) {
    this.#given = given;
    this.#tell = tell;
  }

  async run(loading: Promise<HandlerModule>): Promise<void> {
    const { run, job } = this.#given;
    let handler: Handler;
    try {
      handler = handlerOf(await loading, job.name);
    } catch (error) {
      // What failed to load is not loaded again in this thread; the next one may have more luck.
      this.#tell({ kind: 'threw', run, thrown: toThrown(error), broken: true });
      return;
    }
    try {
      const value = await handler(job, this.#context());
      this.#return(value);
    } catch (error) {
      this.#tell({ kind: 'threw', run, thrown: toThrown(error, this.#aborted) });
    }
  }

  abort(reason: JobAbortedError['reason']): void {
    this.#aborted = new JobAbortedError(this.#given.job.id, reason);
    this.#controller.abort(this.#aborted);
  }

  extended(call: number, thrown: Parameters<typeof fromThrown>[0] | undefined): void {
    this.#extensions.get(call)?.(thrown === undefined ? undefined : fromThrown(thrown, this.#aborted));
    this.#extensions.delete(call);
  }

  /** The work is done: a value that cannot cross is for the worker to complain of, and no failure. */
  #return(value: unknown): void {
    const { run } = this.#given;
    try {
      this.#tell({ kind: 'returned', run, value });
    } catch (error) {
      this.#tell({ kind: 'lostResult', run, why: toJobError(error).message });
    }
  }

  #context(): JobContext {
    const { run, context } = this.#given;
    return {
      ...context,
      signal: this.#controller.signal,
      progress: (value) => {
        checkedProgress(value);
        this.#tell({ kind: 'progress', run, value });
      },
      log: (line) => this.#tell({ kind: 'log', run, line: String(line) }),
      extend: (leaseMs) =>
        new Promise((resolve, reject) => {
          const call = ++this.#calls;
          this.#extensions.set(call, (thrown) => (thrown === undefined ? resolve() : reject(thrown)));
          this.#tell({ kind: 'extend', run, call, leaseMs });
        }),
    };
  }
}

function handlerOf({ default: exported }: HandlerModule, name: string): Handler {
  if (typeof exported === 'function') return exported as Handler;
  const named = exported as Readonly<Record<string, unknown>> | null | undefined;
  const handler = named !== null && named !== undefined && Object.hasOwn(named, name) ? named[name] : undefined;
  if (typeof handler === 'function') return handler as Handler;
  throw new InvalidArgumentError('job name', name, 'one that the default export of the file of handlers has');
}
