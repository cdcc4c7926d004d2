import type {
  JobAnswer,
  JobsAnswer,
  LeasesAnswer,
  OverviewAnswer,
  QueueSummary,
  StorageAnswer,
} from '@holdfast/contract';

/** Reads the admin API of a demo, as the dashboard does. */
export class AdminClient {
  readonly #base: string;

  constructor(shopUrl: string) {
    this.#base = `${shopUrl}/admin/queues/api/v1`;
  }

  storage(): Promise<StorageAnswer> {
    return this.#get('storage');
  }

  leases(): Promise<LeasesAnswer> {
    return this.#get('leases');
  }

  job(id: string): Promise<JobAnswer> {
    return this.#get(`jobs/${encodeURIComponent(id)}`);
  }

  jobs(queue: string): Promise<JobsAnswer> {
    return this.#get(`jobs?queue=${encodeURIComponent(queue)}&limit=200`);
  }

  deadJobs(queue: string): Promise<JobsAnswer> {
    return this.#get(`jobs?state=dead&queue=${encodeURIComponent(queue)}&limit=200`);
  }

  async queue(name: string): Promise<QueueSummary> {
    const overview = await this.#get<OverviewAnswer>('overview');
    const found = overview.queues.find((queue) => queue.name === name);
    if (found === undefined) throw new Error(`There is no queue ${name}.`);
    return found;
  }

  /** Jobs of the queue that still have something before them. */
  async unfinished(name: string): Promise<number> {
    const { counts } = await this.queue(name);
    return counts.scheduled + counts.ready + counts.leased;
  }

  async #get<Answer>(path: string): Promise<Answer> {
    const response = await fetch(`${this.#base}/${path}`);
    if (!response.ok) throw new Error(`GET ${path} was answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }
}
