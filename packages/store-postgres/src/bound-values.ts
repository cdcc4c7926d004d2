import pg from 'pg';
import { arrayLiteral } from './array-literal.js';
import { givenText, storedText } from './stored-text.js';

/** Values as PostgreSQL takes and keeps them. */
export function boundValues(values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    if (typeof value === 'string') return storedText(value);
    return Array.isArray(value) ? arrayLiteral(value) : value;
  });
}

type Parser = (value: string) => unknown;

/** int8: every number of the store is a whole one that JavaScript can hold. */
const INT8 = 20;
const TEXT = 25;
const JSON_OF = 114;

const parsers = new Map<number, Parser>([
  [INT8, Number],
  [TEXT, givenText],
  [JSON_OF, (value) => JSON.parse(value, (_, part: unknown) => (typeof part === 'string' ? givenText(part) : part))],
]);

/** Numbers as numbers, and texts as they were given. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): Parser =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format),
};
