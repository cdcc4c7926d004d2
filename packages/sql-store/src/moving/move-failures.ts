import { HoldfastError, StoreFailedError, StoreFullError, StoreOpenError } from '@holdfast/contract';
import { MoveInterruptedError } from '@holdfast/contract/moving';
import type { DriverErrors } from '../call-failure.js';

/**
 * Two databases take part in a move, and one is asked within a transaction of the other. So what one of them fails with is told at once in words that
 * name it, and passes through the other as it is.
 */
export class MoveFailures {
  readonly #location: string;
  readonly #server: string;
  readonly #errors: DriverErrors;
  /** Once it has answered, its address is right. */
  #hasAnswered = false;

  /** @param location of the store @param server where that is */
  constructor(location: string, server: string, errors: DriverErrors) {
    this.#location = location;
    this.#server = server;
    this.#errors = errors;
  }

  /** A call in which no other store is asked. @throws what became of it */
  async told<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await call();
      this.#hasAnswered = true;
      return answer;
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  /** Work in a transaction, which may ask another store: what that throws is thrown as it is. */
  async across<Held, Answer>(
    transaction: (work: (held: Held) => Promise<Answer>) => Promise<Answer>,
    work: (held: Held) => Promise<Answer>,
  ): Promise<Answer> {
    let thrown: { readonly error: unknown } | undefined;
    try {
      return await transaction(async (held) => {
        thrown = undefined;
        try {
          return await work(held);
        } catch (error) {
          thrown = { error };
          throw error;
        }
      });
    } catch (error) {
      throw thrown === undefined ? this.#failureOf(error) : thrown.error;
    }
  }

  #failureOf(error: unknown): unknown {
    const isKnown = error instanceof HoldfastError;
    if (isKnown && (error.cause === undefined || !['STORE_FAILED', 'STORE_OPEN_FAILED'].includes(error.code)))
      return error;
    const cause = isKnown ? error.cause : error;
    if (this.#errors.isDiskFull(cause)) return new StoreFullError(this.#server, undefined);
    const detail = this.#errors.detailOf(cause, this.#server);
    if (this.#errors.isRefusal(cause)) return new StoreOpenError(this.#server, detail, { cause });
    if (this.#hasAnswered) return new MoveInterruptedError(this.#location, detail, { cause });
    return isKnown ? error : new StoreFailedError('rejected', detail, { cause });
  }
}
