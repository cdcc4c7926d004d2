import type { Clock, JobStore, OverviewAnswer, StoreHealth } from '@holdfast/contract';
import { Inject, Injectable } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ADMIN_CLOCK } from './admin-clock.js';
import { shownQueues } from './shown-queues.js';

/** How old a look may be that somebody else had. docs/admin-api.md states it. */
export const LOOK_SHARED_MS = 500;

/** All queues as they were at one time, and the same as text, which is made once for all who are answered with it. */
export interface QueueLook {
  readonly shown: Omit<OverviewAnswer, 'serverTimeMs' | 'health'>;
  readonly json: string;
}

/** An `OverviewAnswer`. @param queues `QueueLook.json` */
export function overviewText(serverTimeMs: number, health: StoreHealth, queues: string): string {
  return `{"serverTimeMs":${serverTimeMs},"health":${JSON.stringify(health)},${queues.slice(1)}`;
}

interface SharedLook {
  readonly look: Promise<QueueLook>;
  /** Infinity while it is under way. */
  endedAtMs: number;
}

/**
 * One look at the store's counters for all who ask within half a second, so that many dashboards cost hardly more than one. An act of this
 * server ends it: whoever acts sees what came of it.
 */
@Injectable()
export class QueueLooks {
  readonly #store: JobStore;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #last: SharedLook | undefined;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, @Inject(ADMIN_CLOCK) clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @param sharedMs how old a look may be */
  shared(sharedMs: number = LOOK_SHARED_MS): Promise<QueueLook> {
    const last = this.#last;
    const isYoung = last !== undefined && this.#clock.monotonicMs() - last.endedAtMs < sharedMs;
    return isYoung ? last.look : this.fresh();
  }

  /** A look that begins now; who asks soon after shares it. */
  fresh(): Promise<QueueLook> {
    const next: SharedLook = { look: this.#look(), endedAtMs: Number.POSITIVE_INFINITY };
    this.#last = next;
    next.look.then(
      () => {
        next.endedAtMs = this.#clock.monotonicMs();
      },
      // A store that did not answer is asked again by the next who wants to know.
      () => this.#forget(next),
    );
    return next.look;
  }

  /** Something was changed: what was seen before is not shown any more. */
  forget(): void {
    this.#last = undefined;
  }

  #forget(look: SharedLook): void {
    if (this.#last === look) this.#last = undefined;
  }

  async #look(): Promise<QueueLook> {
    const shown = shownQueues(await this.#store.queues());
    return { shown, json: JSON.stringify(shown) };
  }
}
