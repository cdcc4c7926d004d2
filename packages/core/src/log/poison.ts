import { StoreFailedError } from '@holdfast/contract';

/** The first failure of a log. From then on nothing is written: what is on the disk is unknown until the next open has looked. */
export class Poison {
  readonly #directory: string;
  #failure: StoreFailedError | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  get failure(): StoreFailedError | undefined {
    return this.#failure;
  }

  /** Does what must not fail; whatever it throws is the end. @param doing for the message: the log could not … */
  guard(doing: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      throw this.failed(doing, error);
    }
  }

  failed(doing: string, cause: unknown): StoreFailedError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const detail = `The log in ${this.#directory} could not ${doing}: ${reason}. It must be opened again.`;
    this.#failure ??= new StoreFailedError('unknown', detail, { cause });
    return this.#failure;
  }

  /** The owner does not want the log any more. */
  giveUp(): void {
    this.#failure ??= new StoreFailedError('unknown', 'The log was given up before it was closed.');
  }
}
