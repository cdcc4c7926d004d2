import { InvalidArgumentError, InvalidJobError, PayloadNotJsonError } from '@holdfast/contract';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { JobOptions } from '../queue/job-options.js';
import { richCodec } from '../queue/rich-codec.js';
import { mysqlOutbox, mysqlOutboxTable } from './mysql-outbox.js';
import { OutboxRowRefusedError } from './outbox-errors.js';
import { type PgOutboxClient, pgOutbox, pgOutboxTable } from './pg-outbox.js';

interface ReceiptJobs {
  send: { orderId: string };
}

/** Is never asked. */
const pool = {
  connect: () => Promise.reject(new Error('nobody asked for a connection')),
  getConnection: () => Promise.reject(new Error('nobody asked for a connection')),
};
const outbox = pgOutbox<ReceiptJobs>(pool, { table: 'outbox' });

/** An outbox of three rows, the second of which is refused, over a connection that fails at statements of one kind. */
function scripted(failing = /^nothing/) {
  const asked: [string, unknown[]][] = [];
  const released: (boolean | undefined)[] = [];
  const listeners: unknown[] = [];
  const rows = [1, 2, 3].map((id) => ({
    id: `${id}`,
    request_id: `r-${id}`,
    name: 'send',
    payload: '1',
    options: null,
  }));
  const client = {
    async query(text: string, values: unknown[]) {
      asked.push([text, values]);
      if (failing.test(text)) throw new Error(`${text.split(' ')[0]} failed`);
      return { rows: text.startsWith('SELECT') ? rows : [] };
    },
    on: (_event: 'error', listener: unknown) => listeners.push(listener),
    removeListener: (_event: 'error', listener: unknown) => listeners.splice(listeners.indexOf(listener), 1),
    release: (destroy?: boolean) => void released.push(destroy),
  };
  const own = pgOutbox({ connect: async () => client }, { table: 'outbox' });
  const carry = () =>
    own.carry(10, async (handed) => {
      const refused = handed[1]!;
      return new Map([[refused, new OutboxRowRefusedError('receipts', refused, new Error('The payload is a \0'))]]);
    });
  return { asked, released, listeners, carry };
}

describe('a table as an outbox', () => {
  it('makes the statement that writes a job, for each kind of server', () => {
    expect(outbox.insert('send', { orderId: 'o-1' })).toEqual({
      text: 'INSERT INTO "outbox" (name, payload, options) VALUES ($1, $2, $3)',
      values: ['send', '{"orderId":"o-1"}', null],
    });
    const options = { runAtMs: 5, headers: { trace: 'a' } };
    expect(mysqlOutbox(pool, { table: 'sales.outbox' }).insert('send', 1, options)).toEqual({
      text: 'INSERT INTO `sales`.`outbox` (name, payload, options) VALUES (?, ?, ?)',
      values: ['send', '1', '{"runAtMs":5,"headers":{"trace":"a"}}'],
    });
  });

  it('runs it on the client that it is given', async () => {
    const asked: unknown[] = [];
    const client: PgOutboxClient = {
      async query(...call) {
        asked.push(call);
        return { rows: [] };
      },
    };
    await outbox.add(client, 'send', { orderId: 'o-1' }, { priority: 1 });
    const { text, values } = outbox.insert('send', { orderId: 'o-1' }, { priority: 1 });
    expect(asked).toEqual([[text, values]]);
  });

  it('takes options from wherever an object has them, and leaves out what is undefined', () => {
    const options: JobOptions = Object.assign(Object.create({ delayMs: 5 }), {
      priority: undefined,
      maxAttempts: null,
    });
    expect(outbox.insert('send', { orderId: 'o-1' }, options).values[2]).toBe('{"maxAttempts":null,"delayMs":5}');
  });

  it('keeps payloads by the codec that it is given', () => {
    const rich = pgOutbox(pool, { table: 'outbox', codec: richCodec });
    const [, payload] = rich.insert('send', { at: new Date(5) }).values;
    expect(richCodec.decode(String(payload))).toEqual({ at: new Date(5) });
    const codec = { encode: () => new Uint8Array(1), decode: () => undefined };
    expect(() => pgOutbox(pool, { table: 'outbox', codec }).insert('send', 1)).toThrow(/codec.*texts/);
  });

  it.each<[string, unknown, object | undefined, RegExp]>([
    ['', {}, undefined, /name is empty/],
    ['x'.repeat(101), {}, undefined, /name/],
    ['send', 'x'.repeat(1024 * 1024), undefined, /payload/],
    ['send', {}, { delay: 5 }, /option delay is not known/],
    ['send', {}, { requestId: 'mine' }, /option requestId is not known/],
    ['send', {}, { priority: -1 }, /priority/],
    ['send', {}, { maxAttempts: Number.POSITIVE_INFINITY }, /maxAttempts/],
    ['send', {}, { backoff: { kind: 'soon' } }, /backoff/],
    ['send', {}, { delayMs: -1 }, /delayMs/],
    ['send', {}, { delayMs: 1, runAtMs: 1 }, /runAtMs/],
    ['send', {}, { expiresInMs: 0 }, /expiresInMs/],
    ['send', {}, { timeoutMs: 0 }, /timeoutMs/],
    ['send', {}, { headers: { a: 1 } }, /headers/],
    ['send', {}, { dedupe: { key: '' } }, /dedupe/],
  ])('tells who writes the row that no store would take it: %.10s %.10o %o', (name, payload, options, problem) => {
    const untyped = pgOutbox(pool, { table: 'outbox' });
    expect(() => untyped.insert(name, payload, options)).toThrow(InvalidJobError);
    expect(() => untyped.insert(name, payload, options)).toThrow(problem);
  });

  it('tells who writes the row which part of the payload JSON would change', async () => {
    const untyped = pgOutbox(pool, { table: 'outbox' });
    expect(() => untyped.insert('send', { at: new Date() })).toThrow(PayloadNotJsonError);
    expect(() => untyped.insert('send', { at: new Date() })).toThrow('payload.at');
    const client = { query: () => Promise.reject(new Error('asked all the same')) };
    await expect(untyped.add(client, 'send', { at: new Date() })).rejects.toThrow(PayloadNotJsonError);
  });

  it('refuses the pool in the place of the client, which would be outside of the transaction', async () => {
    const asPool = { ...pool, query: () => Promise.reject(new Error('asked all the same')) };
    const own = pgOutbox<ReceiptJobs>(asPool, { table: 'outbox' });
    await expect(own.add(asPool, 'send', { orderId: 'o-1' })).rejects.toThrow(
      /client is .*the client of the transaction/,
    );
  });

  it('takes the names of tables that quotes make safe, and no others', () => {
    expect(pgOutboxTable('Order')).toContain('EXISTS "Order" (');
    expect(mysqlOutboxTable('a.b')).toContain('EXISTS `a`.`b` (');
    for (const table of ['', 'a b', 'a;drop', 'a"b', 'a`b', '1a', 'a.b.c', '.a', 'a.', 'ä', 'x'.repeat(64)]) {
      for (const make of [pgOutboxTable, mysqlOutboxTable])
        expect(() => make(table), table).toThrow(InvalidArgumentError);
      expect(() => pgOutbox(pool, { table }), table).toThrow(InvalidArgumentError);
    }
  });

  it('carries rows in one transaction, which deletes those that are stored and marks those that are refused', async () => {
    const { asked, released, carry } = scripted();
    expect(await carry()).toBe(3);
    expect(asked).toEqual([
      ['BEGIN ISOLATION LEVEL READ COMMITTED', []],
      [expect.stringMatching(/^SELECT .* FROM "outbox" WHERE refused IS NULL ORDER BY id .* SKIP LOCKED$/), [10]],
      ['DELETE FROM "outbox" WHERE id IN ($1, $2)', [1, 3]],
      ['UPDATE "outbox" SET refused = $1 WHERE id = $2', ['The payload is a \uFFFD.', 2]],
      ['COMMIT', []],
    ]);
    expect(released).toEqual([false]);
  });

  it('rolls back when anything fails, and tells the first failure', async () => {
    const { asked, released, carry } = scripted(/^DELETE/);
    await expect(carry()).rejects.toThrow('DELETE failed');
    expect(asked.at(-1)).toEqual(['ROLLBACK', []]);
    expect(released).toEqual([false]);
  });

  it('gives a connection that cannot even roll back up, and does not keep its listener', async () => {
    const { released, listeners, carry } = scripted(/^COMMIT|^ROLLBACK/);
    await expect(carry()).rejects.toThrow('COMMIT failed');
    expect([released, listeners]).toEqual([[true], []]);
  });

  it('knows the jobs of its type', () => {
    expectTypeOf(outbox.insert<'send'>)
      .parameter(1)
      .toEqualTypeOf<{ orderId: string }>();
  });
});
