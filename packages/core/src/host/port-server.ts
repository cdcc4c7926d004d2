import { HoldfastError } from '@holdfast/contract';
import { toErrorData } from '../protocol/error-data.js';
import { OpenCalls } from '../protocol/open-calls.js';
import type { Port } from '../protocol/port.js';
import type { Answer, AnswersMessage, Call, CallNames, CallsMessage, CallTable } from '../protocol/turn-messages.js';

/** Answers a call, once, now or later. The buffers move with the answer. */
export type Reply<Value> = (error: unknown, answer?: Value, transfer?: readonly ArrayBuffer[]) => void;

/** Ends a call that waits; it is still answered. */
export type CancelCall = () => void;

/** One function for each call. It returns how to cancel the call if it may wait. */
export type CallHandlers<Calls extends CallTable> = {
  readonly [Name in CallNames<Calls>]: CallHandler<Calls, Name>;
};

type CallHandler<Calls extends CallTable, Name extends CallNames<Calls>> = (
  args: Calls[Name]['args'],
  reply: Reply<Calls[Name]['answer']>,
) => CancelCall | undefined;

export interface PortServerEvents {
  /** All calls of this turn were given to their handlers. */
  turnEnds(): void;
  /** The other side has done all that it was late for when it was pinged. */
  pong(ping: number): void;
  /** A handler threw what is no HoldfastError: its state cannot be trusted any more. The call was answered. */
  broke(error: unknown): void;
}

/**
 * What is taken up before a turn ends, unless the last call of it is larger: the other side shall work on the answers while this one goes on, and the
 * first calls shall not wait for a flood behind them. Small calls of many callers share a turn, and with it a write.
 */
const TURN_WEIGHT_WANTED = 16 * 1024;
const TURN_MESSAGES_MAX = 64;

/** The answering end of a port: takes up the calls that have arrived in turns, and sends the answers of a turn in one message. */
export class PortServer<Calls extends CallTable> {
  readonly #port: Port;
  readonly #handlers: CallHandlers<Calls>;
  readonly #events: PortServerEvents;
  readonly #cancels = new OpenCalls<CancelCall>();
  #answers: Answer[] = [];
  #transfer: ArrayBuffer[] = [];
  #sendDue = false;
  #turnWeight = 0;
  #turnOpen = false;

  constructor(port: Port, handlers: CallHandlers<Calls>, events: PortServerEvents) {
    this.#port = port;
    this.#handlers = handlers;
    this.#events = events;
  }

  /** From now on calls are handled. */
  listen(): void {
    this.#port.listen((message) => this.#takeTurn(message));
  }

  /** Sends a message that is no answer, after all answers given so far. */
  post(message: AnswersMessage): void {
    this.#sendAnswers();
    this.#port.post(message);
  }

  #takeTurn(first: unknown): void {
    let message = first;
    for (let taken = 1; message !== undefined; taken++) {
      this.#takeMessage(message as CallsMessage<Calls>);
      message = taken < TURN_MESSAGES_MAX ? this.#port.receive() : undefined;
    }
    if (this.#turnOpen) this.#endTurn();
  }

  #takeMessage(message: CallsMessage<Calls>): void {
    for (const call of message.calls) {
      this.#turnOpen = true;
      this.#turnWeight += call.weight;
      this.#handle(call);
      if (this.#turnWeight >= TURN_WEIGHT_WANTED) this.#endTurn();
    }
    const { cancels = [], pong } = message;
    if (cancels.length > 0 || pong !== undefined) this.#turnOpen = true;
    for (const call of cancels) this.#cancels.get(call)?.();
    if (pong !== undefined) this.#events.pong(pong);
  }

  #endTurn(): void {
    this.#turnOpen = false;
    this.#turnWeight = 0;
    this.#events.turnEnds();
    this.#sendAnswers();
  }

  #handle<Name extends CallNames<Calls>>({ call, method, args }: Call<Calls, Name>): void {
    const handler: CallHandler<Calls, Name> = this.#handlers[method];
    let answered = false;
    const reply: Reply<Calls[Name]['answer']> = (error, answer, transfer) => {
      if (answered) return;
      answered = true;
      this.#cancels.take(call);
      this.#addAnswer(error === undefined ? { call, answer } : { call, error: toErrorData(error) }, transfer);
    };
    try {
      const cancel = handler(args, reply);
      if (cancel !== undefined && !answered) this.#cancels.add(call, cancel);
    } catch (error) {
      reply(error);
      if (!(error instanceof HoldfastError)) this.#events.broke(error);
    }
  }

  #addAnswer(answer: Answer, transfer: readonly ArrayBuffer[] = []): void {
    this.#answers.push(answer);
    this.#transfer.push(...transfer);
    if (this.#sendDue) return;
    this.#sendDue = true;
    process.nextTick(() => this.#sendAnswers());
  }

  #sendAnswers(): void {
    this.#sendDue = false;
    if (this.#answers.length === 0) return;
    const message: AnswersMessage = { kind: 'answers', answers: this.#answers };
    const transfer = this.#transfer;
    this.#answers = [];
    this.#transfer = [];
    this.#port.post(message, transfer);
  }
}
