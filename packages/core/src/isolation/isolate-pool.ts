import type { Clock } from '@holdfast/contract';
import type { Handler, Job, JobContext } from '../queue/handler.js';
import { endsWithin } from '../queue/retry-pause.js';
import { HandlerIsolate } from './handler-isolate.js';
import type { StartIsolate } from './isolate.js';

export interface IsolatePoolOptions {
  readonly isolation: 'thread' | 'process';
  readonly start: StartIsolate;
  readonly clock: Clock;
}

/** One that had nothing to do for so long is ended. */
const IDLE_MS = 60_000;
/** What is told to end has this long for it. */
const END_MS = 400;

/**
 * Runs handlers in isolates, one attempt at a time in each. As many are started as attempts come at once, which is for the caller to
 * bound; they are used again, the one that was used last first.
 */
export class IsolatePool {
  readonly #options: IsolatePoolOptions;
  readonly #all = new Set<HandlerIsolate>();
  readonly #idle: HandlerIsolate[] = [];

  constructor(options: IsolatePoolOptions) {
    this.#options = options;
  }

  readonly handler: Handler = (job, context) => this.#run(job, context);

  /** Isolates there are, at work or idle. */
  get size(): number {
    return this.#all.size;
  }

  /** Ends all isolates: in order, and those that do not end at once. Never rejects. */
  async close(): Promise<void> {
    const all = [...this.#all];
    this.#idle.length = 0;
    await this.#end(all);
  }

  async #end(isolates: readonly HandlerIsolate[]): Promise<void> {
    for (const isolate of isolates) isolate.end();
    const gone = Promise.all(isolates.map((isolate) => isolate.gone));
    if (await endsWithin(this.#options.clock, END_MS, gone)) return;
    for (const isolate of isolates) isolate.kill();
    await gone;
  }

  async #run(job: Job, context: JobContext): Promise<unknown> {
    const isolate = this.#idle.pop() ?? this.#begin();
    isolate.stopIdling();
    try {
      return await isolate.run(job, context);
    } finally {
      if (isolate.isUsable) this.#rest(isolate);
    }
  }

  #begin(): HandlerIsolate {
    const isolate = new HandlerIsolate(this.#options);
    this.#all.add(isolate);
    void isolate.gone.then(() => {
      this.#all.delete(isolate);
      const place = this.#idle.indexOf(isolate);
      if (place !== -1) this.#idle.splice(place, 1);
      isolate.stopIdling();
    });
    return isolate;
  }

  #rest(isolate: HandlerIsolate): void {
    this.#idle.push(isolate);
    isolate.idleFor(IDLE_MS, () => {
      this.#idle.splice(this.#idle.indexOf(isolate), 1);
      void this.#end([isolate]);
    });
  }
}
