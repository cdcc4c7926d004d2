import type { ErrorData } from './error-data.js';

/**
 * What crosses a port: calls one way, answers the other, each time all of one turn in one message. Which calls there are
 * is for those who speak over it (for jobs: job-calls.ts).
 */

/** The calls that one side offers: by name, what each takes and answers. */
export type CallTable = Record<string, { args: unknown; answer: unknown }>;

export type CallNames<Calls extends CallTable> = keyof Calls & string;

export interface Call<Calls extends CallTable, Name extends CallNames<Calls> = CallNames<Calls>> {
  /** Given by the caller; the answer carries it again. */
  readonly call: number;
  readonly method: Name;
  readonly args: Calls[Name]['args'];
  /** About how many bytes this costs the answering side to hold: bounds what it takes up in one turn. */
  readonly weight: number;
}

export type Answer =
  | { readonly call: number; readonly answer: unknown; readonly error?: never }
  | { readonly call: number; readonly error: ErrorData };

/** To the side that answers. A pong comes after all calls that its side had made when it saw the ping. */
export interface CallsMessage<Calls extends CallTable> {
  readonly kind: 'calls';
  readonly calls: readonly Call<Calls>[];
  /** Calls whose answer is no longer waited for. They are still answered. */
  readonly cancels?: readonly number[];
  readonly pong?: number;
}

/** To the side that calls. */
export type AnswersMessage =
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
  /** Sent back as `pong` once everything is done that this thread was late for. */
  | { readonly kind: 'ping'; readonly ping: number }
  /** The first message of a port whose other side is ready. */
  | { readonly kind: 'opened'; readonly greeting: unknown }
  /** The first and only message of one that cannot get ready. */
  | { readonly kind: 'refused'; readonly error: ErrorData }
  /** Something has changed that is no answer; what, is for those who speak over the port. */
  | { readonly kind: 'notice'; readonly notice: unknown }
  /** The last message of one that ended in order. */
  | { readonly kind: 'ended' }
  /** The last message of one that had to give up: nothing more is answered. */
  | { readonly kind: 'fatal'; readonly error: ErrorData };
