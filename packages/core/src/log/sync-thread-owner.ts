import { fdatasyncSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { invariant } from '../invariant.js';

const NO_REQUEST = -1;
const DESCRIPTOR = 0;
const DONE = 1;
const TOOK_MICROSECONDS = 2;

/** @param tookMs what the thread measured, without the way to it and back; `undefined` for a sync that failed or was not done there */
export type SyncDone = (error: Error | undefined, tookMs: number | undefined) => void;

interface SyncFailure {
  readonly message?: string;
  readonly code?: string;
}

interface Request {
  readonly descriptor: number;
  readonly done: SyncDone;
}

/**
 * A thread that does `fdatasync` for this one, so that this one can go on. Not the thread pool of libuv: an app that fills that
 * with hashing or file work would stall every commit.
 *
 * It keeps the process alive only while a sync is under way. A thread that dies fails the sync under way; the next sync starts
 * another.
 */
export class SyncThreadOwner {
  /** See sync-thread.js. */
  readonly #shared = new Int32Array(new SharedArrayBuffer(12));
  /** Of the syncs that the thread has done well, how many were told here. */
  #told = 0;
  /** The first one is under way. */
  readonly #requests: Request[] = [];
  /** The request that this thread does itself. */
  #doneHere: Request | undefined;
  #worker: Worker | undefined;
  #ready = false;
  #closed = false;

  constructor() {
    this.#shared[DESCRIPTOR] = NO_REQUEST;
  }

  /** `done` is called in a later turn, or by `tellDone`. */
  sync(descriptor: number, done: SyncDone): void {
    invariant(!this.#closed, 'nothing is synced after the end');
    this.#requests.push({ descriptor, done });
    if (this.#requests.length === 1) this.#next();
  }

  /** Tells of a sync that the thread has done, before its message comes: this thread may take long to get to that. */
  tellDone(): void {
    if (Atomics.load(this.#shared, DONE) === this.#told) return;
    this.#told++;
    this.#finish(this.#requests[0], undefined, Atomics.load(this.#shared, TOOK_MICROSECONDS) / 1000);
  }

  /** Ends the thread, after the syncs asked for. */
  close(): void {
    this.#closed = true;
    if (this.#requests.length === 0) this.#stop();
  }

  #next(): void {
    const request = this.#requests[0];
    if (request === undefined) {
      this.#worker?.unref();
      if (this.#closed) this.#stop();
      return;
    }
    this.#worker ??= this.#start();
    // A thread needs some 15 ms to start: what comes before that is not made to wait for it.
    if (this.#ready) this.#syncThere(this.#worker, request);
    else this.#syncHere(request);
  }

  #syncThere(worker: Worker, request: Request): void {
    worker.ref();
    Atomics.store(this.#shared, DESCRIPTOR, request.descriptor);
    Atomics.notify(this.#shared, DESCRIPTOR);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./sync-thread.js', import.meta.url), {
      workerData: this.#shared.buffer,
      execArgv: [],
      name: 'holdfast-sync',
    });
    worker.unref();
    worker.on('message', (message: 'ready' | 'done' | SyncFailure) => {
      if (message === 'ready') this.#ready = true;
      else if (message === 'done') this.tellDone();
      else this.#finish(this.#requests[0], Object.assign(new Error(message.message), { code: message.code }));
    });
    worker.on('error', (error) => this.#lose(worker, asError(error)));
    worker.on('exit', () => this.#lose(worker, new Error('The thread that syncs the log ended.')));
    return worker;
  }

  #syncHere(request: Request): void {
    let failure: Error | undefined;
    try {
      fdatasyncSync(request.descriptor);
    } catch (error) {
      failure = asError(error);
    }
    this.#doneHere = request;
    setImmediate(() => {
      this.#doneHere = undefined;
      this.#finish(request, failure);
    });
  }

  #finish(request: Request | undefined, failure: Error | undefined, tookMs?: number): void {
    invariant(request !== undefined && this.#requests[0] === request, 'each sync ends once');
    this.#requests.shift();
    this.#next();
    request.done(failure, tookMs);
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#ready = false;
    Atomics.store(this.#shared, DESCRIPTOR, NO_REQUEST);
    // Its last sync may have ended well before it did: what it counted must not be taken for the sync of another thread.
    this.tellDone();
    const request = this.#requests[0];
    if (request !== undefined && request !== this.#doneHere) this.#finish(request, error);
  }

  #stop(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#ready = false;
    void worker?.terminate();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
