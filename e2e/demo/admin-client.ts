import type {
  JobAnswer,
  JobsAnswer,
  LeasesAnswer,
  OverviewAnswer,
  QueueSummary,
  RedrivesAnswer,
  StorageAnswer,
} from '@holdfast/contract';

/** Reads the admin API of a demo, as the dashboard does. */
export class AdminClient {
  readonly #shopUrl: string;
  readonly #base: string;

  constructor(shopUrl: string) {
    this.#shopUrl = shopUrl;
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

  redriveAllDead(queue: string): Promise<RedrivesAnswer> {
    return this.#fetch('redrives', {
      method: 'POST',
      // What a browser sends for the dashboard's own page, and for no other.
      headers: { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', Origin: this.#shopUrl },
      body: JSON.stringify({ allDead: { queue } }),
    });
  }

  #get<Answer>(path: string): Promise<Answer> {
    return this.#fetch(path);
  }

  async #fetch<Answer>(path: string, request?: RequestInit): Promise<Answer> {
    const response = await fetch(`${this.#base}/${path}`, request);
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }
}
