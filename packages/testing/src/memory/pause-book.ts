import type { ActedBy, QueuePause } from '@holdfast/contract';

/** Which queues are paused. That a pause ended by itself is not kept: it follows from the clock, also after a restart. */
export class PauseBook {
  readonly #pauses = new Map<string, { readonly pause: QueuePause; holds: boolean }>();

  /** Queues that were ever paused. */
  readonly names = new Set<string>();

  pause(queue: string, forMs: number | undefined, { actor, reason }: ActedBy, wallMs: number): QueuePause {
    const pause = {
      sinceMs: this.of(queue)?.sinceMs ?? wallMs,
      ...(forMs === undefined ? {} : { untilMs: wallMs + Math.ceil(forMs) }),
      actor,
      ...(reason === undefined ? {} : { reason }),
    };
    this.names.add(queue);
    this.#pauses.set(queue, { pause, holds: true });
    return pause;
  }

  /** @returns whether it was paused */
  resume(queue: string): boolean {
    return this.of(queue) !== undefined && this.#pauses.delete(queue);
  }

  of(queue: string): QueuePause | undefined {
    const entry = this.#pauses.get(queue);
    return entry?.holds === true ? entry.pause : undefined;
  }

  endDue(wallMs: number): void {
    for (const entry of this.#pauses.values()) if ((entry.pause.untilMs ?? wallMs + 1) <= wallMs) entry.holds = false;
  }

  beginRun(wallMs: number): void {
    for (const entry of this.#pauses.values()) entry.holds = (entry.pause.untilMs ?? wallMs + 1) > wallMs;
  }

  /** Wall-clock time of the next end; Infinity without one. */
  nextEndMs(): number {
    const ends = [...this.#pauses.values()].filter(({ holds }) => holds).map(({ pause }) => pause.untilMs);
    return Math.min(Number.POSITIVE_INFINITY, ...ends.map((untilMs) => untilMs ?? Number.POSITIVE_INFINITY));
  }
}
