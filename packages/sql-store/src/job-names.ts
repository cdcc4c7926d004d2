import { CursorInvalidError, type JobId, type LeaseToken } from '@holdfast/contract';

/** Digits of the largest number of a sequence. */
const TOKEN_DIGITS = 16;
const TOKEN = /^[0-9]{16}$/;
const NUMBER = /^[1-9][0-9]{0,14}$/;

/** No job has this number, and no lease this token. */
export const NOBODY = -1;

/** How the numbers of jobs and leases are called outside of the store. */
export class JobNames {
  readonly #prefix: string;

  constructor(storeId: string) {
    this.#prefix = `${storeId}-`;
  }

  id(number: number): JobId {
    return `${this.#prefix}${number}`;
  }

  /** `NOBODY` for an id that this store did not give out. */
  number(id: JobId): number {
    if (!id.startsWith(this.#prefix)) return NOBODY;
    const digits = id.slice(this.#prefix.length);
    return NUMBER.test(digits) ? Number(digits) : NOBODY;
  }

  /** A cursor is the id of the last row of the page before. @throws CursorInvalidError */
  cursor(cursor: string): number {
    const number = this.number(cursor);
    if (number === NOBODY) throw new CursorInvalidError();
    return number;
  }
}

/** Of equal length, so that a later one is greater as text. */
export function tokenText(token: number): LeaseToken {
  return String(token).padStart(TOKEN_DIGITS, '0');
}

export function tokenNumber(token: LeaseToken): number {
  return TOKEN.test(token) ? Number(token) : NOBODY;
}
