import type { Clock } from '@holdfast/contract';
import type { EngineLeaseRef } from '../engine/engine-calls.js';
import type { EngineOptions } from '../engine/log-engine.js';
import { parseId, parseToken } from '../identity.js';
import { LIMITS } from '../limits.js';
import { toErrorData } from '../protocol/error-data.js';
import type { EngineGreeting, EngineNotice, JobCalls } from '../protocol/job-calls.js';
import { writeLeases } from '../protocol/lease-columns.js';
import type { Port } from '../protocol/port.js';
import { type HostedEngine, jobCallHandlers } from './job-call-handlers.js';
import { PortServer, type Reply } from './port-server.js';

/** What an engine tells whoever hosts it. */
export type EngineHooks = Pick<EngineOptions, 'onFatal' | 'onLeasesDue' | 'onFullChange' | 'onLeasesCancelled'>;

export interface EngineHostOptions {
  readonly port: Port;
  readonly clock: Clock;
  /** Throws what the client is to be told when the store cannot be opened. */
  openEngine(hooks: EngineHooks): HostedEngine;
  /** Nothing will be answered any more: the store was closed, failed, or could not be opened. */
  onEnd(): void;
}

/**
 * Runs one engine for the application at the other end of a port. It speaks for that application when leases run out: they
 * are ended only after the application has shown that it is alive, because one whose event loop is blocked cannot extend them.
 */
export class EngineHost {
  readonly #options: EngineHostOptions;
  #server: PortServer<JobCalls> | undefined;
  #engine: HostedEngine | undefined;
  #ended = false;
  #ping = 0;
  #pingedAtMs: number | undefined;
  #stallMsMax = 0;

  constructor(options: EngineHostOptions) {
    this.#options = options;
  }

  /** Opens the engine, which takes as long as its log is; then says so and answers calls. */
  start(): void {
    try {
      const engine = this.#options.openEngine({
        onFatal: (error) => this.#giveUp(error),
        onLeasesDue: () => this.#ask(),
        onFullChange: () => this.#tellFull(),
        onLeasesCancelled: (leases) => this.#tellCancelled(leases),
      });
      this.#engine = engine;
      this.#server = this.#serve(engine);
      const greeting: EngineGreeting = { storeTag: engine.storeTag };
      this.#server.post({ kind: 'opened', greeting });
      if (engine.full !== undefined) this.#tellFull();
      this.#server.listen();
    } catch (error) {
      this.#options.port.post({ kind: 'refused', error: toErrorData(error) });
      this.#end();
    }
  }

  #serve(engine: HostedEngine): PortServer<JobCalls> {
    const handlers = jobCallHandlers(engine, {
      monotonicMs: () => this.#options.clock.monotonicMs(),
      applicationStallMsMax: () => Math.max(this.#stallMsMax, this.#stallMs()),
      close: (reply) => this.#close(engine, reply),
    });
    return new PortServer<JobCalls>(this.#options.port, handlers, {
      turnEnds: () => {
        if (!this.#ended) engine.endTurn();
      },
      pong: () => this.#answered(engine),
      broke: (error) => this.#giveUp(error),
    });
  }

  #tellFull(): void {
    if (this.#engine === undefined || this.#ended) return;
    const notice: EngineNotice = { full: this.#engine.full };
    this.#server?.post({ kind: 'notice', notice });
  }

  #tellCancelled(leases: readonly EngineLeaseRef[]): void {
    if (this.#ended) return;
    const notice: EngineNotice = { cancelled: writeLeases(leases) };
    this.#server?.post({ kind: 'notice', notice });
  }

  /** Asks the application for a sign of life; it answers when nothing that it is late for, such as an extension, is left. */
  #ask(): void {
    if (this.#pingedAtMs !== undefined) return;
    this.#pingedAtMs = this.#options.clock.monotonicMs();
    this.#server?.post({ kind: 'ping', ping: ++this.#ping });
  }

  #answered(engine: HostedEngine): void {
    this.#stallMsMax = Math.max(this.#stallMsMax, this.#stallMs());
    this.#pingedAtMs = undefined;
    engine.expireLeases();
  }

  /** How long the application has left a ping open. */
  #stallMs(): number {
    return this.#pingedAtMs === undefined ? 0 : this.#options.clock.monotonicMs() - this.#pingedAtMs;
  }

  #close(engine: HostedEngine, reply: Reply<undefined>): void {
    handBackLeases(engine);
    engine.close(() => {
      reply(undefined);
      this.#server?.post({ kind: 'ended' });
      this.#end();
    });
  }

  #giveUp(error: unknown): void {
    if (this.#ended) return;
    this.#server?.post({ kind: 'fatal', error: toErrorData(error) });
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.port.close();
    this.#options.onEnd();
  }
}

/**
 * Whoever closes in order does not want the jobs of its workers to wait for a lease, nor to count an attempt: a handler that still
 * runs learns from its stale ack that it no longer holds the job.
 */
function handBackLeases(engine: HostedEngine): void {
  let firstBefore: string | undefined;
  for (;;) {
    const rows = engine.leases(LIMITS.settleItemsMax);
    if (rows.length === 0 || rows[0]?.token === firstBefore) return;
    firstBefore = rows[0]?.token;
    const items = rows.map((row) => ({ id: parseId(engine.storeTag, row.id) ?? 0, token: parseToken(row.token) }));
    engine.release(items, () => {});
  }
}
