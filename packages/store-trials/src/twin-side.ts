import {
  type ClaimRequest,
  type JobFilter,
  type JobState,
  type JobStore,
  type LeasedJob,
  type LeaseRef,
  type NewJob,
  RequestMismatchError,
} from '@holdfast/contract';

export const BY = { actor: 'olga', reason: 'tried' };
const UNKNOWN: LeaseRef = { id: 'unknown', token: 'unknown' };

/** One store of the two, with what it called its jobs and leases: the names differ, their order does not. */
export class Twin {
  readonly store: JobStore;
  readonly jobs: string[] = [];
  readonly refs: LeaseRef[] = [];
  #asOf = '';
  #cursor: string | undefined;

  constructor(store: JobStore) {
    this.store = store;
  }

  ref(pick: number): LeaseRef {
    return this.refs[pick % Math.max(1, this.refs.length)] ?? UNKNOWN;
  }

  job(pick: number): string {
    return this.jobs[pick % Math.max(1, this.jobs.length)] ?? 'unknown';
  }

  async enqueue(jobs: readonly NewJob[], requestId: string | undefined): Promise<unknown> {
    try {
      const answers = await this.store.enqueue(jobs, requestId === undefined ? {} : { requestId });
      for (const { id } of answers) if (!this.jobs.includes(id)) this.jobs.push(id);
      return answers;
    } catch (error) {
      if (error instanceof RequestMismatchError) return error.code;
      throw error;
    }
  }

  async claim(request: ClaimRequest): Promise<readonly LeasedJob[]> {
    const jobs = await this.store.claim(request);
    this.refs.push(...jobs.map(({ id, token }) => ({ id, token })));
    return jobs;
  }

  async plan(all: JobFilter): Promise<unknown> {
    const { asOf, ...plan } = (await this.store.plan?.({ all })) ?? { asOf: '' };
    this.#asOf = asOf;
    this.#cursor = undefined;
    return plan;
  }

  async piece(
    kind: 'cancel' | 'remove' | 'runNow' | 'redrive',
    all: JobFilter & { readonly state: JobState },
    limit: number,
  ): Promise<unknown> {
    const cursor = this.#cursor === undefined ? {} : { cursor: this.#cursor };
    const outcome = await this.store[kind]({ all, asOf: this.#asOf, limit, ...cursor }, BY);
    this.#cursor = outcome.next;
    return outcome;
  }

  async clone(pick: number): Promise<unknown> {
    const cloned = await this.store.clone(this.job(pick), BY);
    if (cloned !== undefined) this.jobs.push(cloned.id);
    return cloned;
  }

  /** An answer with the twin's own names replaced by numbers. */
  plain(answer: unknown): unknown {
    if (Array.isArray(answer)) return answer.map((item) => this.plain(item));
    if (typeof answer !== 'object' || answer === null) return answer;
    return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, this.#plainField(key, value)]));
  }

  #plainField(key: string, value: unknown): unknown {
    if (key === 'samples') return (value as readonly string[]).map((id) => this.jobs.indexOf(id));
    // Of those that died since a group was last empty, as far as a store remembers.
    if (key === 'firstDeadAtMs' || key === 'lastDeadAtMs') return typeof value;
    if (key === 'id' || key === 'clonedFrom') return this.jobs.indexOf(String(value));
    if (key === 'token') return this.refs.findIndex(({ token }) => token === value);
    return key === 'next' ? typeof value : this.plain(value);
  }
}
