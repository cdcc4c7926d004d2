import { InvalidArgumentError } from '@holdfast/contract';

/** Names for which quotes are enough; each part is as long as both kinds of server allow. */
const TABLE = /^[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?$/;

/**
 * The only thing that is put into the text of a statement; all values are bound.
 * @returns with quotes, so that no word is reserved and letters keep their case
 * @throws InvalidArgumentError
 */
export function quotedTable(table: string, quote: '"' | '`'): string {
  if (typeof table !== 'string' || !TABLE.test(table)) {
    const allowed = 'letters, digits and underscores, such as outbox, or sales.outbox with its schema';
    throw new InvalidArgumentError('table', table, allowed);
  }
  return table
    .split('.')
    .map((part) => `${quote}${part}${quote}`)
    .join('.');
}
