import type { Clock, HoldfastError, QueuePause } from '@holdfast/contract';
import { actBytes } from '../state/act-records.js';
import type { JobTable } from '../state/job-table.js';
import { encodePause, encodeResume, type Pause, pauseBodyBytes, resumeBodyBytes } from '../state/pause-records.js';
import { RECORD } from '../state/record-kinds.js';
import type { Commits, DurableCall } from './commits.js';
import type { Done, EnginePause } from './engine-calls.js';
import type { Events } from './events.js';

export interface PauseParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly events: Events;
  readonly clock: Clock;
}

class QueueCall<Answer> implements DurableCall {
  seq = 0;
  readonly bytes = 0;
  readonly #answer: Answer;
  readonly #done: Done<Answer>;

  constructor(answer: Answer, done: Done<Answer>) {
    this.#answer = answer;
    this.#done = done;
  }

  durable(): void {}

  finish(error: HoldfastError | undefined): void {
    this.#done(error, error === undefined ? this.#answer : undefined);
  }
}

/** Stops and restarts the claims of queues. */
export class Pauses {
  readonly #parts: PauseParts;

  constructor(parts: PauseParts) {
    this.#parts = parts;
  }

  pause({ queue, forMs, by }: EnginePause, done: Done<QueuePause>): void {
    this.endDue();
    const { table, commits, events, clock } = this.#parts;
    const atMs = clock.now();
    const sinceMs = table.shapes.queue(queue)?.pause?.sinceMs ?? atMs;
    const untilMs = forMs === undefined ? 0 : atMs + Math.ceil(forMs);
    const name = Buffer.from(queue, 'utf8');
    const act = actBytes(by.actor, by.reason);
    const bodyBytes = pauseBodyBytes(name, act);
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.pause, bodyBytes);
    const { location, recordBytes } = record;
    encodePause(record, { atMs, sinceMs, untilMs }, name, act);
    const pause = { sinceMs, untilMs, actor: by.actor, reason: by.reason ?? '', location, recordBytes };
    table.pauses.pause(queue, pause);
    if (events.isOn) events.record({ kind: 'paused', queue, actor: by.actor });
    commits.answerAllDurable(new QueueCall(shownPause(pause), done));
  }

  resume({ queue, by }: Omit<EnginePause, 'forMs'>, done: Done<boolean>): void {
    this.endDue();
    const { table, commits, events, clock } = this.#parts;
    const resumed = table.pauses.resume(queue);
    if (resumed !== undefined) {
      const name = Buffer.from(queue, 'utf8');
      const act = actBytes(by.actor, by.reason);
      const bodyBytes = resumeBodyBytes(name, act);
      commits.room(bodyBytes);
      encodeResume(commits.reserve(RECORD.resume, bodyBytes), clock.now(), name, act);
      table.waiting.wake(resumed);
      if (events.isOn) events.record({ kind: 'resumed', queue, actor: by.actor });
    }
    commits.answerAllDurable(new QueueCall(resumed !== undefined, done));
  }

  /** Ends the pauses whose time has come, and lets waiting claims have their jobs. */
  endDue(): void {
    const { table, clock } = this.#parts;
    if (table.pauses.nextEndMs === Number.POSITIVE_INFINITY) return;
    for (const queue of table.pauses.endDue(clock.now())) table.waiting.wake(queue);
  }
}

/** A pause in the words of the contract. */
export function shownPause({ sinceMs, untilMs, actor, reason }: Pause): QueuePause {
  return { sinceMs, ...(untilMs > 0 ? { untilMs } : {}), actor, ...(reason === '' ? {} : { reason }) };
}
