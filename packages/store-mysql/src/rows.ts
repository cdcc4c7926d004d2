import type { MysqlField } from './pool.js';
import type { SqlText, SqlValue } from './sql-text.js';

/** What the driver takes. A truth value is a number, as the columns have it. */
export function boundValues({ values }: SqlText): (string | number | Buffer | null)[] {
  return values.map(boundValue);
}

function boundValue(value: SqlValue): string | number | Buffer | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

const NUMBER_TYPES: ReadonlySet<string> = new Set([
  'TINY',
  'SHORT',
  'LONG',
  'INT24',
  'LONGLONG',
  'DECIMAL',
  'NEWDECIMAL',
]);

/** For a pool that is set up by somebody else, where whole numbers may come as texts, because there are larger ones, or as truth values. */
export function castNumbers(field: MysqlField, next: () => unknown): unknown {
  if (!NUMBER_TYPES.has(field.type)) return next();
  const text = field.string();
  return text === null ? null : Number(text);
}

/** Columns of whole numbers, beside those whose name ends in a unit, of what is read in transactions of callers. */
const NUMBERS: ReadonlySet<string> = new Set([
  'attempts',
  'changed_in',
  'extensions',
  'keyed',
  'number',
  'priority',
  'queue_id',
  'slot',
  'step',
  'token',
]);

/** The same for a library that reads the answer itself. */
export function plainRow(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const isNumber = (NUMBERS.has(column) || column.endsWith('_ms')) && value !== null;
      return [column, isNumber ? Number(value) : value];
    }),
  );
}
