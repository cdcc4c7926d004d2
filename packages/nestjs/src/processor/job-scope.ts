import { AsyncResource } from 'node:async_hooks';
import { type JobHeaders } from '@holdfast/contract';
import { type Job, type JobContext, type JobFacts } from '@holdfast/core';
import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';

/** What `@Inject(REQUEST)` gives in a class that is made for a job, and what a `ContextIdStrategy` is asked about. */
export class JobRequest {
  readonly type = 'holdfast';
  /** In a hook of a job whose handler never ran: all but its payload. Absent in a hook of an event without a job. */
  readonly job?: Job | JobFacts;
  /** Absent in a hook of a job whose handler never ran. */
  readonly context?: JobContext;
  /** Those of the job; always there, for strategies that look into the headers of requests. */
  readonly headers: JobHeaders;

  constructor(job: Job | JobFacts | undefined, context: JobContext | undefined) {
    if (job !== undefined) this.job = job;
    if (context !== undefined) this.context = context;
    this.headers = job?.headers ?? {};
  }
}

/** One attempt at a job, as far as the application's own classes are concerned: its handler and its hooks share it. */
export class JobScope {
  readonly #job: Job | JobFacts | undefined;
  readonly #context: JobContext | undefined;
  #plain: ContextId | undefined;
  #durable: ContextId | undefined;
  #entered: AsyncResource | undefined;

  constructor(job?: Job | JobFacts, context?: JobContext) {
    this.#job = job;
    this.#context = context;
  }

  /** Of the classes that Nest makes for this attempt. Made when the first of them is asked for. */
  contextId(isDurable: boolean, moduleRef: ModuleRef): ContextId {
    if (isDurable) {
      this.#durable ??= this.#makeContextId(true, moduleRef);
      return this.#durable;
    }
    this.#plain ??= this.#makeContextId(false, moduleRef);
    return this.#plain;
  }

  /** Hooks will run in the asynchronous context of this call. */
  enter(): void {
    this.#entered = new AsyncResource('HoldfastJob', { requireManualDestroy: true });
  }

  run<Result>(hook: () => Result): Result {
    return this.#entered === undefined ? hook() : this.#entered.runInAsyncScope(hook);
  }

  /** As Nest does for its own requests: what is shared between jobs sees the payload of its strategy alone. */
  #makeContextId(isDurable: boolean, moduleRef: ModuleRef): ContextId {
    const request = new JobRequest(this.#job, this.#context);
    const contextId: ContextId = ContextIdFactory.getByRequest(request);
    const isShared = isDurable && contextId.getParent !== undefined;
    const seen = isShared ? contextId.payload : Object.assign(request, contextId.payload);
    moduleRef.registerRequestByContextId(seen, contextId);
    return contextId;
  }
}
