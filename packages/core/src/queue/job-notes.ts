import {
  type Clock,
  InvalidArgumentError,
  type JobStore,
  type LogLine,
  type NoteItem,
  type SettleAnswer,
  StoreFullError,
  type TimerHandle,
} from '@holdfast/contract';
import { cutText } from '@holdfast/contract/rules';
import { LIMITS } from '../limits.js';
import type { Emitter } from './emitter.js';
import { jsonCodec } from './json-codec.js';
import type { RunningJob } from './running-job.js';
import type { WorkerEvents } from './worker-events.js';

/** What is told within this time goes to the store in one call. */
export const NOTE_EVERY_MS = 250;

export interface JobNotesOptions {
  readonly store: Pick<JobStore, 'note'>;
  readonly clock: Clock;
  readonly events: Emitter<WorkerEvents>;
  /** The lease is over: the answer says why. */
  readonly onLost: (run: RunningJob, answer: SettleAnswer) => void;
  readonly onError: (error: unknown) => void;
}

/** What a handler has told that the store does not have yet. */
interface Pending {
  progress: { readonly value: unknown; readonly json: string } | undefined;
  lines: LogLine[];
  dropped: number;
}

/** Gathers what the handlers of a worker tell, and brings it to the store. */
export class JobNotes {
  readonly #options: JobNotesOptions;
  readonly #pending = new Map<RunningJob, Pending>();
  #timer: TimerHandle | undefined;
  /** All calls so far are answered. Never rejects. */
  #sent: Promise<void> = Promise.resolve();

  constructor(options: JobNotesOptions) {
    this.#options = options;
  }

  /** @throws PayloadNotJsonError, InvalidArgumentError */
  progress(run: RunningJob, value: unknown): void {
    const json = checkedProgress(value);
    if (run.working) this.#pendingOf(run).progress = { value, json };
  }

  log(run: RunningJob, line: string): void {
    if (!run.working) return;
    const pending = this.#pendingOf(run);
    pending.lines.push({ atMs: this.#options.clock.now(), text: cutText(String(line), LIMITS.logLineBytesMax) });
    if (pending.lines.length <= LIMITS.logLinesMax) return;
    pending.lines.shift();
    pending.dropped++;
  }

  /** The store has, or has refused, all that these runs have told. Never rejects. */
  async flush(runs: readonly RunningJob[]): Promise<void> {
    if (!runs.some((run) => run.hasNotes)) return;
    // What was sent before comes before.
    await this.#sent;
    await this.#send(runs);
  }

  #pendingOf(run: RunningJob): Pending {
    let pending = this.#pending.get(run);
    if (pending === undefined) {
      pending = { progress: undefined, lines: [], dropped: 0 };
      this.#pending.set(run, pending);
      run.hasNotes = true;
      this.#setTimer();
    }
    return pending;
  }

  #setTimer(): void {
    this.#timer ??= this.#options.clock.setTimer(NOTE_EVERY_MS, () => void this.#sendDue(), true);
  }

  /** A store that is slow is not piled upon: until it has answered, what comes is gathered. */
  async #sendDue(): Promise<void> {
    this.#timer = undefined;
    await this.#sent;
    await this.#send([...this.#pending.keys()]);
  }

  #send(runs: readonly RunningJob[]): Promise<void> {
    const told = runs.flatMap((run) => {
      const pending = this.#pending.get(run);
      this.#pending.delete(run);
      return pending === undefined ? [] : [{ run, pending }];
    });
    const before = this.#sent;
    if (told.length > 0) this.#sent = this.#tell(told).then(() => before);
    if (this.#timer !== undefined && this.#pending.size === 0) {
      this.#options.clock.clearTimer(this.#timer);
      this.#timer = undefined;
    }
    return this.#sent;
  }

  async #tell(told: readonly { readonly run: RunningJob; readonly pending: Pending }[]): Promise<void> {
    const { store, events, onLost, onError } = this.#options;
    try {
      const answers = await store.note?.(told.map(({ run, pending }) => toItem(run, pending)));
      for (const [index, { run, pending }] of told.entries()) {
        const answer = answers?.[index] ?? 'ok';
        if (answer !== 'ok') onLost(run, answer);
        else if (pending.progress !== undefined) {
          events.emit('progress', { job: run.leased, progress: pending.progress.value });
        }
      }
    } catch (error) {
      // They only tell of the work: nothing is repeated, and where the disk is full everybody knows that already.
      if (!(error instanceof StoreFullError)) onError(error);
    }
  }
}

/** As JSON. @throws PayloadNotJsonError, InvalidArgumentError */
export function checkedProgress(value: unknown): string {
  // The default codec makes text.
  const json = String(jsonCodec.encode(value, 'progress'));
  const bytes = Buffer.byteLength(json);
  if (bytes <= LIMITS.progressBytesMax) return json;
  throw new InvalidArgumentError('progress', `${bytes} bytes of JSON`, `at most ${LIMITS.progressBytesMax} bytes`);
}

function toItem({ leased: { id, token } }: RunningJob, { progress, lines, dropped }: Pending): NoteItem {
  return {
    id,
    token,
    ...(progress === undefined ? {} : { progress: progress.json }),
    ...(lines.length === 0 ? {} : { lines }),
    ...(dropped === 0 ? {} : { droppedLines: dropped }),
  };
}
