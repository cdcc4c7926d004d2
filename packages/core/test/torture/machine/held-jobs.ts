import { Child } from './child-process.js';
import { giveOrder } from './give-order.js';

const HELD_JOBS = 20;

/** What an order was answered. */
export interface OrderAnswer {
  readonly started?: boolean;
  readonly afterMs?: number;
  readonly atMostMs?: number;
  readonly here?: number;
  readonly engine?: number;
  readonly startsMax?: number;
  readonly completed?: number;
  readonly expiries?: number;
  readonly applicationStallMsMax?: number;
}

/** A process with a worker that holds jobs under short leases, and does what it is ordered to: see children/hold-jobs.mjs. */
export class HeldJobs {
  readonly child: Child;
  readonly #count: number;

  static async start(
    directory: string,
    leaseMs: number,
    env: Readonly<Record<string, string>> = {},
    count = HELD_JOBS,
  ): Promise<HeldJobs> {
    const child = new Child('hold-jobs.mjs', [directory, String(count), String(leaseMs)], { env });
    if (await child.says('holding')) return new HeldJobs(child, count);
    throw new Error(`The process that should hold jobs ended: ${(await child.ended).errors}`);
  }

  private constructor(child: Child, count: number) {
    this.child = child;
    this.#count = count;
  }

  order(line: string): Promise<OrderAnswer> {
    return giveOrder<OrderAnswer>(this.child, line);
  }

  /** Lets the jobs end. @returns what is wrong unless each of them was started once, and completed by that */
  async finish(): Promise<{ readonly problems: string[]; readonly stallMsMax: number }> {
    const { startsMax, completed, expiries, applicationStallMsMax } = await this.order('finish');
    await this.child.ended;
    const problems: string[] = [];
    if (this.#count > 0 && startsMax !== 1) problems.push(`A held job was started ${startsMax} times.`);
    if (completed !== this.#count)
      problems.push(`${completed} of ${this.#count} held jobs were completed at their first attempt.`);
    if (expiries !== 0) problems.push(`${expiries} leases of held jobs expired.`);
    return { problems, stallMsMax: Math.round(applicationStallMsMax ?? 0) };
  }
}
