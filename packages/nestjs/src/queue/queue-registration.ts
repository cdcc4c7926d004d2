import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import { type NamedQueue, type QueueSettings } from '../holdfast-options.js';

/** One call of `registerQueue` or `registerQueueAsync`: found among the providers before any queue is made. */
export class QueueRegistration {
  readonly name: string;
  readonly connection: string;
  /** Absent while other providers have still to make them. */
  readonly settings: QueueSettings | undefined;

  constructor({ name, connection }: NamedQueue, settings: QueueSettings | undefined) {
    this.name = name;
    this.connection = connection ?? DEFAULT_CONNECTION;
    this.settings = settings;
  }

  isOf(connection: string | undefined): boolean {
    return this.connection === (connection ?? DEFAULT_CONNECTION);
  }
}
