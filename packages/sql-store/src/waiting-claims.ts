import type { LeasedJob, WorkerName } from '@holdfast/contract';
import type { CheckedClaim } from '@holdfast/contract/rules';

interface WaitingClaim {
  readonly request: CheckedClaim;
  readonly answer: (jobs: LeasedJob[]) => void;
  /** It was answered; jobs that are on their way to it are handed back. */
  over: boolean;
}

/** Claims that look for the same jobs: one of them looks for all. */
class WaitingGroup {
  readonly name: string;
  readonly queues: ReadonlySet<string>;
  claims: WaitingClaim[] = [];
  /** Somebody is looking; what came since is looked for when they are done. */
  looking = false;
  again = false;
  poll: NodeJS.Timeout | undefined;

  constructor(name: string, queues: readonly string[]) {
    this.name = name;
    this.queues = new Set(queues);
  }
}

/** After a time without jobs, a claim looks again after this part of it. */
const POLLS = 8;
/** Of so many kinds of claims it is remembered when they found jobs. */
const FOUND_MAX = 1000;

export interface WaitingClaimsOptions {
  /** Where nothing was found for long. */
  readonly pollMs: number;
  /** Where jobs were found a moment ago. */
  readonly pollMsMin: number;
  readonly take: (request: CheckedClaim) => Promise<LeasedJob[]>;
  readonly handBack: (jobs: readonly LeasedJob[]) => Promise<void>;
}

/**
 * Claims that found nothing and wait, in order of their calls. They are woken when jobs of their queues may be ready, and look by
 * themselves now and then: a wake-up that is lost costs time, never a job. While the database cannot be reached they go on waiting.
 */
export class WaitingClaims {
  readonly #options: WaitingClaimsOptions;
  readonly #groups = new Map<string, WaitingGroup>();
  /** When claims of a group found jobs, or began to look, by the name of the group. */
  readonly #foundAtMs = new Map<string, number>();
  /** That are under way. */
  #looks = 0;
  /** Told when none is any more. */
  readonly #ended: (() => void)[] = [];

  constructor(options: WaitingClaimsOptions) {
    this.#options = options;
  }

  /** Whose claims wait. */
  get workers(): ReadonlySet<WorkerName> {
    const workers = new Set<WorkerName>();
    for (const { claims } of this.#groups.values()) for (const { request } of claims) workers.add(request.worker);
    return workers;
  }

  wait(request: CheckedClaim, signal: AbortSignal | undefined): Promise<LeasedJob[]> {
    return new Promise((resolve) => {
      const end = () => claim.answer([]);
      const timer = setTimeout(end, request.waitMs);
      const claim: WaitingClaim = {
        request,
        over: false,
        answer: (jobs) => {
          if (claim.over) return;
          claim.over = true;
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          this.#leave(claim);
          resolve(jobs);
        },
      };
      signal?.addEventListener('abort', end, { once: true });
      this.#join(claim);
    });
  }

  /** Jobs of these queues may be ready; of any, where it is not known. */
  wake(queues?: readonly string[]): void {
    for (const group of this.#groups.values()) {
      if (queues === undefined || queues.some((queue) => group.queues.has(queue))) void this.#look(group);
    }
  }

  /** Such a claim found jobs: there may soon be more. */
  found(request: CheckedClaim): void {
    if (this.#foundAtMs.size >= FOUND_MAX) this.#foundAtMs.clear();
    this.#foundAtMs.set(groupName(request), performance.now());
  }

  /** Resolves when nobody is looking any more: jobs that were on their way to a claim that is over have been handed back by then. */
  async endAll(): Promise<void> {
    for (const group of [...this.#groups.values()]) for (const claim of [...group.claims]) claim.answer([]);
    if (this.#looks > 0) await new Promise<void>((resolve) => this.#ended.push(resolve));
  }

  #join(claim: WaitingClaim): void {
    const { queues } = claim.request;
    const name = groupName(claim.request);
    const group = this.#groups.get(name) ?? new WaitingGroup(name, queues);
    this.#groups.set(name, group);
    group.claims.push(claim);
    if (!this.#foundAtMs.has(name)) this.found(claim.request);
    if (group.poll === undefined) this.#pollLater(group);
    // What became ready after its own look and before it waited woke nobody.
    void this.#look(group);
  }

  #pollLater(group: WaitingGroup): void {
    const { pollMs, pollMsMin } = this.#options;
    const idleMs = performance.now() - (this.#foundAtMs.get(group.name) ?? 0);
    const inMs = Math.min(pollMs, Math.max(pollMsMin, idleMs / POLLS));
    group.poll = setTimeout(async () => {
      await this.#look(group);
      if (this.#groups.get(group.name) === group) this.#pollLater(group);
    }, inMs);
  }

  #leave(claim: WaitingClaim): void {
    const name = groupName(claim.request);
    const group = this.#groups.get(name);
    if (group === undefined) return;
    group.claims = group.claims.filter((other) => other !== claim);
    if (group.claims.length > 0) return;
    clearTimeout(group.poll);
    this.#groups.delete(name);
  }

  async #look(group: WaitingGroup): Promise<void> {
    group.again = true;
    if (group.looking) return;
    group.looking = true;
    this.#looks++;
    try {
      while (group.again) {
        group.again = false;
        await this.#serve(group);
      }
    } catch {
      // The health of the store tells; the next poll looks again.
    } finally {
      group.looking = false;
      if (--this.#looks === 0) for (const ended of this.#ended.splice(0)) ended();
    }
  }

  async #serve(group: WaitingGroup): Promise<void> {
    for (let claim = group.claims[0]; claim !== undefined; claim = group.claims[0]) {
      const jobs = await this.#options.take(claim.request);
      if (jobs.length === 0) return;
      this.found(claim.request);
      if (claim.over) await this.#options.handBack(jobs);
      else claim.answer(jobs);
    }
  }
}

function groupName({ queues, names }: CheckedClaim): string {
  return JSON.stringify([queues.toSorted(), names?.toSorted()]);
}
