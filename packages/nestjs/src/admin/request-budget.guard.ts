import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AdminAccess } from './admin-access.js';
import type { AdminRequest } from './admin-request.js';
import { Refusal } from './refusal.js';

/** What one person may ask for: so many at once, so many a second after that. */
const READING = { burst: 300, perSecond: 50 } as const;
const CHANGING = { burst: 60, perSecond: 5 } as const;
/** People whose budget is remembered. */
const ACTORS_MAX = 1000;

interface Budget {
  left: number;
  atMs: number;
}

/** Keeps one person, or one script, from asking so much that the store has no time for jobs. */
@Injectable()
export class RequestBudgetGuard implements CanActivate {
  readonly #access: AdminAccess;
  readonly #budgets = new Map<string, Budget>();

  constructor(access: AdminAccess) {
    this.#access = access;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AdminRequest>();
    const { actor } = this.#access.identityOf(request);
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const waitMs = this.#take(`${isReading ? 'read' : 'change'} ${actor}`, isReading ? READING : CHANGING);
    if (waitMs === 0) return true;
    throw new Refusal(429, 'TOO_MANY_REQUESTS', 'You ask too much at once. Nothing was done.', undefined, waitMs);
  }

  /** @returns how long to wait, 0 if there was something left */
  #take(key: string, { burst, perSecond }: { readonly burst: number; readonly perSecond: number }): number {
    const nowMs = performance.now();
    const budget = this.#budgets.get(key) ?? { left: burst, atMs: nowMs };
    budget.left = Math.min(burst, budget.left + ((nowMs - budget.atMs) * perSecond) / 1000);
    budget.atMs = nowMs;
    // The one that asked last is the last.
    this.#budgets.delete(key);
    this.#budgets.set(key, budget);
    if (this.#budgets.size > ACTORS_MAX) this.#forgetFirst();
    if (budget.left < 1) return Math.ceil(((1 - budget.left) * 1000) / perSecond);
    budget.left--;
    return 0;
  }

  #forgetFirst(): void {
    for (const key of this.#budgets.keys()) {
      this.#budgets.delete(key);
      return;
    }
  }
}
