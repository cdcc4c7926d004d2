import { type CallOutcome, type HoldfastError, StoreFailedError } from '@holdfast/contract';
import { fromErrorData } from '../protocol/error-data.js';
import { OpenCalls } from '../protocol/open-calls.js';
import type { Port } from '../protocol/port.js';
import type { AnswersMessage, Call, CallNames, CallsMessage, CallTable } from '../protocol/turn-messages.js';

/** Told once how a call went. */
export interface PendingCall {
  /** What may have become of the call when the other side is lost after it was sent. */
  readonly outcomeWhenLost: CallOutcome;
  /** Exactly one of both is given, except that an answer may be `undefined` too. */
  settled(error: HoldfastError | undefined, answer: unknown): void;
}

/** Merges what was asked since the last turn into calls. */
export interface CallSource {
  /** Hands all that was asked so far to `addMerged`. */
  handOver(): void;
}

/** What the other side says besides answers. */
export interface PortClientEvents {
  opened(greeting: unknown): void;
  refused(error: HoldfastError): void;
  notice(notice: unknown): void;
  ended(): void;
  fatal(error: HoldfastError): void;
}

/** Runs a function once every timer and callback that is overdue in this thread has run. */
export type AfterOverdueWork = (call: () => void) => void;

interface WaitingCall<Calls extends CallTable> {
  readonly call: Call<Calls>;
  readonly transfer: readonly ArrayBuffer[];
  readonly pending: PendingCall;
}

/** Splits what has waited for a reopen, so that the other side can answer the first of it early. */
const MESSAGE_WEIGHT_MAX = 8 * 1024 * 1024;
const SINGLE_CALL_WEIGHT = 1024;

/** So many messages may be taken up in a row, and answered at once, before the event loop has to come round. */
const MESSAGES_IN_ROW_MAX = 32;
/** Where messages come one by one, the event loop is not made to come round for each. */
const ROW_FROM = 16;

/**
 * The calling end of a port. All calls of a turn cross in one message: it is sent by `process.nextTick`, which runs when the
 * running callback and all promise continuations that follow from it have ended. Measured with a thousand calls in flight against
 * `queueMicrotask` and `setImmediate`: the same size of batches as the latter, the short way of the former for a lone call.
 *
 * The other side may be lost and replaced: calls that were not sent yet wait for the next `attach`.
 */
export class PortClient<Calls extends CallTable> {
  readonly #afterOverdueWork: AfterOverdueWork;
  readonly #onBusyChange: (busy: boolean) => void;
  readonly #sources: CallSource[] = [];
  readonly #sent = new OpenCalls<PendingCall>();
  /** Sent when there is a port. */
  #waiting: WaitingCall<Calls>[] = [];
  /** Of this turn; they follow its merged calls. */
  #single: WaitingCall<Calls>[] = [];
  #waitingWeight = 0;
  #cancels: number[] = [];
  #port: Port | undefined;
  #ready = false;
  #lastCall = 0;
  #flushDue = false;
  #busy = false;
  /** Messages taken up since the event loop came round. */
  #inRow = 0;

  /** @param onBusyChange told when the first call comes to be open and when the last one is settled */
  constructor(afterOverdueWork: AfterOverdueWork, onBusyChange: (busy: boolean) => void) {
    this.#afterOverdueWork = afterOverdueWork;
    this.#onBusyChange = onBusyChange;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Weight of the calls that were not sent yet. */
  get waitingWeight(): number {
    return this.#waitingWeight;
  }

  addSource(source: CallSource): void {
    this.#sources.push(source);
  }

  /** Takes up a port; calls are sent through it once the other side has said `opened`. */
  attach(port: Port, events: PortClientEvents): void {
    this.#port = port;
    this.#ready = false;
    port.listen((message) => {
      this.#countInRow();
      if (this.#port === port) this.#take(message as AnswersMessage, port, events);
    });
  }

  /** Takes the messages that have arrived but were not delivered yet: for a far end that is gone. */
  drain(port: Port, events: PortClientEvents): void {
    for (let message = port.receive(); message !== undefined; message = port.receive()) {
      if (this.#port === port) this.#take(message as AnswersMessage, port, events);
    }
  }

  /** Lets go of the port. Calls that were sent are settled as lost for the reason given. */
  detach(reason: string): void {
    this.#port?.close();
    this.#port = undefined;
    this.#ready = false;
    this.#cancels = [];
    for (const pending of this.#sent.takeAll())
      pending.settled(new StoreFailedError(pending.outcomeWhenLost, reason), undefined);
    this.#updateBusy();
  }

  /** Settles all calls that were not sent yet. */
  rejectWaiting(error: HoldfastError): void {
    this.#handOver();
    const waiting = this.#takeWaiting();
    for (const { pending } of waiting) pending.settled(error, undefined);
    this.#updateBusy();
  }

  /** Takes up a merged call; for sources, when they hand over. */
  addMerged<Name extends CallNames<Calls>>(
    method: Name,
    args: Calls[Name]['args'],
    weight: number,
    pending: PendingCall,
    transfer: readonly ArrayBuffer[],
  ): void {
    this.#waiting.push({ call: { call: ++this.#lastCall, method, args, weight }, transfer, pending });
    this.#waitingWeight += weight;
  }

  /**
   * Sends a call at the end of this turn, after the merged ones: what it asks about has happened by then.
   * @param weight bytes, about, of the call and its answer
   * @returns the number of the call, for `cancel`
   */
  send<Name extends CallNames<Calls>>(
    method: Name,
    args: Calls[Name]['args'],
    pending: PendingCall,
    weight = SINGLE_CALL_WEIGHT,
  ): number {
    const call = ++this.#lastCall;
    this.#single.push({ call: { call, method, args, weight }, transfer: [], pending });
    this.flushSoon();
    return call;
  }

  /**
   * Asks the other side to answer a call without further waiting.
   * @returns whether the call was withdrawn before it was sent: then it is not answered at all
   */
  cancel(call: number): boolean {
    for (const calls of [this.#single, this.#waiting]) {
      const index = calls.findIndex((each) => each.call.call === call);
      if (index === -1) continue;
      const [withdrawn] = calls.splice(index, 1);
      if (calls === this.#waiting) this.#waitingWeight -= withdrawn!.call.weight;
      this.#updateBusy();
      return true;
    }
    this.#cancels.push(call);
    this.flushSoon();
    return false;
  }

  /**
   * Sends at the end of this turn. After many messages in a row it waits until the event loop has come round: Node hands out messages, up to a
   * thousand of them, for as long as there is one, and all else in this thread would wait for that.
   */
  flushSoon(): void {
    if (this.#flushDue) return;
    this.#flushDue = true;
    const flush = () => {
      this.#flushDue = false;
      this.flush();
    };
    if (this.#inRow < MESSAGES_IN_ROW_MAX) process.nextTick(flush);
    else setImmediate(flush);
  }

  /** Sends all that was asked so far. */
  flush(pong?: number): void {
    this.#handOver();
    this.#sendWaiting(pong);
    this.#updateBusy();
  }

  #handOver(): void {
    for (const source of this.#sources) source.handOver();
    this.#waiting.push(...this.#single);
    for (const { call } of this.#single) this.#waitingWeight += call.weight;
    this.#single = [];
  }

  #sendWaiting(pong: number | undefined): void {
    if (!this.#ready || (this.#waiting.length === 0 && this.#cancels.length === 0 && pong === undefined)) return;
    const messages = splitByWeight(this.#takeWaiting());
    const last = messages.pop() ?? [];
    for (const calls of messages) this.#post(calls, {});
    const cancels = this.#cancels;
    this.#cancels = [];
    this.#post(last, { ...(cancels.length === 0 ? {} : { cancels }), ...(pong === undefined ? {} : { pong }) });
  }

  #post(waiting: readonly WaitingCall<Calls>[], extra: Pick<CallsMessage<Calls>, 'cancels' | 'pong'>): void {
    const message: CallsMessage<Calls> = { kind: 'calls', calls: waiting.map(({ call }) => call), ...extra };
    const transfer = waiting.flatMap((each) => each.transfer);
    for (const { call, pending } of waiting) this.#sent.add(call.call, pending);
    this.#port?.post(message, transfer);
  }

  #takeWaiting(): WaitingCall<Calls>[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingWeight = 0;
    return waiting;
  }

  #countInRow(): void {
    this.#inRow++;
    if (this.#inRow !== ROW_FROM) return;
    setImmediate(() => {
      this.#inRow = 0;
    });
  }

  #take(message: AnswersMessage, port: Port, events: PortClientEvents): void {
    switch (message.kind) {
      case 'answers':
        this.#takeAnswers(message.answers);
        break;
      case 'ping':
        // The calls made meanwhile go first: an extension that was late must be seen before leases are ended.
        this.#afterOverdueWork(() => {
          if (this.#port === port) this.flush(message.ping);
        });
        break;
      case 'opened':
        this.#ready = true;
        events.opened(message.greeting);
        this.flush();
        break;
      case 'refused':
        events.refused(fromErrorData(message.error));
        break;
      case 'notice':
        events.notice(message.notice);
        break;
      case 'ended':
        events.ended();
        break;
      case 'fatal':
        events.fatal(fromErrorData(message.error));
        break;
    }
  }

  #takeAnswers(answers: Extract<AnswersMessage, { kind: 'answers' }>['answers']): void {
    for (const answer of answers) {
      const pending = this.#sent.take(answer.call);
      if (answer.error === undefined) pending?.settled(undefined, answer.answer);
      else pending?.settled(fromErrorData(answer.error), undefined);
    }
    this.#updateBusy();
  }

  #updateBusy(): void {
    const busy = this.#sent.size > 0 || this.#waiting.length > 0;
    if (busy === this.#busy) return;
    this.#busy = busy;
    this.#onBusyChange(busy);
  }
}

function splitByWeight<Calls extends CallTable>(waiting: WaitingCall<Calls>[]): WaitingCall<Calls>[][] {
  const messages: WaitingCall<Calls>[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const each of waiting) {
    if (weight + each.call.weight > MESSAGE_WEIGHT_MAX) {
      messages.push([]);
      weight = 0;
    }
    messages.at(-1)?.push(each);
    weight += each.call.weight;
  }
  return messages;
}
