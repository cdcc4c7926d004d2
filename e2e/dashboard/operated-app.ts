import 'reflect-metadata';
import type { AdminRole, JobError, JobId, JobStore, LeasedJob, NewJob } from '@holdfast/contract';
import { HOLDFAST_STORE, HoldfastAdminModule, HoldfastModule } from '@holdfast/nestjs';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { type StoreKind, testedStore } from './tested-store.js';

const LEASE_MS = 60_000;

export interface OperatedOptions {
  /** In front of the path of the module, as a host application sets it. */
  readonly globalPrefix?: string;
  /** Without `authorize`, as an application that has not thought of it. */
  readonly closed?: boolean;
  /** Default: the log. */
  readonly store?: StoreKind;
  /** What the application calls the place that it runs in. */
  readonly environmentLabel?: string;
}

/** Who the dashboard takes its user for. */
export const OPERATOR = 'grace@example.org';

/**
 * An application in the process of the test: a store of its own with the dashboard over it, and nobody who works on jobs
 * but who the test starts. What happens to a job happens when the test says so.
 */
export class OperatedApp {
  /** Of whoever looks; may be changed at any time. */
  role: AdminRole = 'admin';
  readonly store: JobStore;
  /** Where the dashboard is mounted, with a slash at the end. */
  readonly url: string;
  readonly #app: INestApplication;
  readonly #forget: () => Promise<void>;

  private constructor(app: INestApplication, url: string, forget: () => Promise<void>) {
    this.#app = app;
    this.url = url;
    this.#forget = forget;
    this.store = app.get<JobStore>(HOLDFAST_STORE);
  }

  static async start(options: OperatedOptions = {}): Promise<OperatedApp> {
    const { globalPrefix, closed = false, store = 'log', environmentLabel = 'staging' } = options;
    const { source, remove } = await testedStore(store);
    const access: { role: () => AdminRole } = { role: () => 'viewer' };
    const admin = HoldfastAdminModule.forRoot({
      path: '/admin/queues',
      ...(closed ? {} : { authorize: () => ({ role: access.role(), actor: OPERATOR }) }),
      environment: { label: environmentLabel, tone: 'caution' },
      allowClone: true,
    });
    const root = {
      module: class OperatedModule {},
      imports: [HoldfastModule.forRoot({ store: source }), admin],
    };
    const app = await NestFactory.create(root, new ExpressAdapter(), { logger: false, forceCloseConnections: true });
    if (globalPrefix !== undefined) app.setGlobalPrefix(globalPrefix);
    await app.listen(0, '127.0.0.1');
    const prefix = globalPrefix === undefined ? '' : `${globalPrefix}/`;
    const operated = new OperatedApp(app, `${await app.getUrl()}/${prefix}admin/queues/`, remove);
    access.role = () => operated.role;
    return operated;
  }

  /** Jobs of one queue, in order. */
  async enqueue(queue: string, jobs: readonly Partial<NewJob>[]): Promise<JobId[]> {
    const { enqueueJobsMax } = this.store.capabilities;
    const ids: JobId[] = [];
    for (let from = 0; from < jobs.length; from += enqueueJobsMax) {
      const batch = jobs.slice(from, from + enqueueJobsMax);
      const stored = await this.store.enqueue(batch.map((job) => ({ name: 'send', payload: '{}', ...job, queue })));
      ids.push(...stored.map(({ id }) => id));
    }
    return ids;
  }

  /** A job for each error, in that order, that died of it at its first attempt. */
  async bury(queue: string, errors: readonly JobError[], job: Partial<NewJob> = {}): Promise<JobId[]> {
    const ids = await this.enqueue(
      queue,
      errors.map(() => job),
    );
    const leased = await this.lease(queue, errors.length);
    const errorOf = new Map(ids.map((id, index) => [id, errors[index]]));
    await this.store.fail(
      leased.map(({ id, token }) => ({
        id,
        token,
        // biome-ignore lint/suspicious/noThenProperty: the word of the contract.
        then: 'dead',
        error: errorOf.get(id) ?? { class: '', message: '' },
      })),
    );
    return ids;
  }

  lease(queue: string, limit: number, worker = 'shop-a:4100', leaseMs = LEASE_MS): Promise<LeasedJob[]> {
    return this.store.claim({ queues: [queue], limit, leaseMs, worker });
  }

  async stop(): Promise<void> {
    await this.#app.close();
    await this.#forget();
  }
}
