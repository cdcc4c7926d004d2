import { InvalidArgumentError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { checkedSqlConnection, type SqlConnectionOptions } from './store-options.js';

const refusal = (options: SqlConnectionOptions<object>) => {
  try {
    checkedSqlConnection(options);
    return undefined;
  } catch (error) {
    return error;
  }
};

it('asks for the environment variable where the URL is not there, or empty', () => {
  for (const connectionString of [undefined, '']) {
    const error = refusal({ connectionString });
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(String(error)).toMatch(/connectionString is (undefined|""), .*Is the environment variable set\?$/);
  }
});

it('takes no schema that belongs to the database itself', () => {
  for (const schema of ['information_schema', 'pg_catalog', 'pg_mine', 'mysql', 'performance_schema', 'sys']) {
    expect(String(refusal({ connectionString: 'db://app', schema }))).toContain('not one of the database itself');
  }
  expect(refusal({ connectionString: 'db://app', schema: 'system' })).toBeUndefined();
});

it('wants exactly one way to the database', () => {
  expect(String(refusal({}))).toContain('0 of connectionString, connection and pool');
  expect(String(refusal({ connectionString: 'db://app', pool: {} }))).toContain('2 of');
  expect(refusal({ connectionString: undefined, pool: {} })).toBeUndefined();
  expect(refusal({ connectionString: 'db://app' })).toBeUndefined();
});
