import { CursorInvalidError, type JobId, type LeaseToken, StoreOpenError } from '@holdfast/contract';
import { formatId, formatToken, parseId, parseToken, storeTag } from '@holdfast/contract/rules';

const STORE_ID = /^[0-9a-f]{32}$/;

/** No job has this number, and no lease this token. */
export const NOBODY = -1;

/** What is wrong with a schema whose only row of `meta` is gone, and what to do. */
export const NO_STORE =
  'its schema holds the tables of a store, but not its id. Restore the schema from a backup, or drop the schema.';

/** How the numbers of jobs and leases are called outside of the store. */
export class JobNames {
  readonly #tag: string;

  /** @param storeId 16 bytes in hexadecimal digits. @throws StoreOpenError for any other */
  constructor(storeId: string, location: string) {
    if (!STORE_ID.test(storeId)) {
      const problem = `its schema says ${JSON.stringify(storeId)} where the id of a store stands: no released version made it.`;
      throw new StoreOpenError(location, `${problem} Drop the schema, or give the store another one.`);
    }
    this.#tag = storeTag(Buffer.from(storeId, 'hex'));
  }

  id(number: number): JobId {
    return formatId(this.#tag, number);
  }

  /** `NOBODY` for an id that this store did not give out. */
  number(id: JobId): number {
    return parseId(this.#tag, id) ?? NOBODY;
  }

  /** A cursor is the id of the last row of the page before. @throws CursorInvalidError */
  cursor(cursor: string): number {
    const number = this.number(cursor);
    if (number === NOBODY) throw new CursorInvalidError();
    return number;
  }
}

export function tokenText(token: number): LeaseToken {
  return formatToken(token);
}

export function tokenNumber(token: LeaseToken): number {
  const number = parseToken(token);
  return number === 0 ? NOBODY : number;
}
