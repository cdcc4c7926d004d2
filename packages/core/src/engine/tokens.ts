import { makeToken } from '../identity.js';
import { invariant } from '../invariant.js';
import { LIMITS } from '../limits.js';

/** Tokens of one epoch: each is larger than all before it, also those of former epochs. */
export class Tokens {
  readonly #epoch: number;
  #counter = 0;

  constructor(epoch: number) {
    invariant(epoch > 0 && epoch <= LIMITS.epochMax, `epoch ${epoch} is within its bounds`);
    this.#epoch = epoch;
  }

  next(): number {
    invariant(
      this.#counter < LIMITS.tokensPerEpochMax,
      'an epoch has tokens left: reopening the store gives it a new one',
    );
    return makeToken(this.#epoch, ++this.#counter);
  }
}
