import { type QueueSummary, type StoreHealth } from '@holdfast/contract';
import { isInternalQueue } from '@holdfast/contract/rules';
import { Injectable } from '@nestjs/common';
import { type Connection } from '../connection/connection.js';
import { Fleet } from '../processor/fleet.js';
import { type QueueWorker } from '../processor/queue-worker.js';

export interface HealthLimits {
  /** A ready job that has waited longer, in a queue that is not paused, is a problem. Milliseconds; default: no limit. */
  readonly oldestReadyMsMax?: number;
}

export interface HealthReport {
  readonly status: 'up' | 'down';
  /** In plain words; empty when all is well. */
  readonly problems: readonly string[];
  /** By connection. */
  readonly stores: Readonly<Record<string, StoreHealth>>;
  /** By queue, and by `connection/queue` for connections with a name: is it claimed from here? */
  readonly workers: Readonly<Record<string, 'idle' | 'working' | 'failing' | 'closed'>>;
}

/** What Terminus expects of an indicator. */
export type HealthIndicator<Key extends string> = Readonly<Record<Key, HealthReport>>;

/**
 * Whether jobs are stored and worked off here: the stores are open, the workers that were started can claim, and no job
 * waits for too long. Asks each store for its queues; never rejects.
 */
@Injectable()
export class HoldfastHealth {
  readonly #fleet: Fleet;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** For Terminus: `health.check([() => holdfast.isHealthy('queues')])`. It answers 503 while the status is `down`. */
  async isHealthy<Key extends string>(key: Key, limits: HealthLimits = {}): Promise<HealthIndicator<Key>> {
    return { [key]: await this.check(limits) } as HealthIndicator<Key>;
  }

  async check({ oldestReadyMsMax = Number.POSITIVE_INFINITY }: HealthLimits = {}): Promise<HealthReport> {
    const { connections, workers } = this.#fleet;
    const stores = connections.map((connection) => [connection.name, connection.store.health()] as const);
    const waits = await Promise.all(connections.map((connection) => problemsOf(connection, oldestReadyMsMax)));
    const claims = workers.map(({ problem }) => problem).filter((problem) => problem !== undefined);
    const problems = [...waits.flat(), ...claims];
    return {
      status: problems.length === 0 ? 'up' : 'down',
      problems,
      stores: Object.fromEntries(stores),
      workers: Object.fromEntries(workers.map((worker) => [worker.label, stateOf(worker)])),
    };
  }
}

function stateOf(worker: QueueWorker): HealthReport['workers'][string] {
  return worker.problem === undefined ? worker.report().state : 'failing';
}

async function problemsOf({ name, store, surroundings }: Connection, oldestReadyMsMax: number): Promise<string[]> {
  const { status, detail } = store.health();
  if (status !== 'open') return [`the store "${name}" is ${status}${detail === undefined ? '' : `: ${detail}`}`];
  if (oldestReadyMsMax === Number.POSITIVE_INFINITY) return [];
  try {
    const nowMs = surroundings?.clock.now() ?? Date.now();
    const queues = (await store.queues()).filter(({ name }) => !isInternalQueue(name));
    return queues.flatMap((queue) => tooOld(queue, nowMs, oldestReadyMsMax));
  } catch (error) {
    return [`the store "${name}" does not tell its queues: ${String(error)}`];
  }
}

function tooOld({ name, oldestReadyAtMs, paused }: QueueSummary, nowMs: number, maxMs: number): string[] {
  if (oldestReadyAtMs === undefined || paused !== undefined || nowMs - oldestReadyAtMs <= maxMs) return [];
  const waitedMs = Math.round(nowMs - oldestReadyAtMs);
  return [`a job of the queue "${name}" has waited for ${waitedMs} ms, longer than ${maxMs} ms`];
}
