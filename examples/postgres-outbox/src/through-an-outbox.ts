// Jobs in a log, orders in a database: the database keeps the job first, in a table, and it is carried over afterwards.
import { openLogStore, Queue, startWorker } from '@holdfast/core';
import pg from 'pg';

interface ReceiptJobs {
  send: { orderId: string };
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS example_orders (id text PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS example_outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    request_id uuid NOT NULL DEFAULT gen_random_uuid(),
    order_id text NOT NULL
  )`;

export async function throughAnOutbox(connectionString: string, directory: string) {
  const pool = new pg.Pool({ connectionString });
  await pool.query(TABLES);
  const store = await openLogStore({ directory });
  const receipts = new Queue<ReceiptJobs>('receipts', { store });
  const sent: string[] = [];

  const orderId = `order-${Date.now()}`;
  await placeOrder(pool, orderId);
  // As if the process had died after the enqueue: the row is still there, and is carried over again.
  const first = await carry(pool, receipts, 'ROLLBACK');
  const again = await carry(pool, receipts, 'COMMIT');

  const worker = startWorker<ReceiptJobs>({
    store,
    queue: 'receipts',
    handlers: {
      send: ({ payload }) => void sent.push(payload.orderId),
    },
  });
  for (const id of again) await receipts.waitFor(id);
  await worker.close();
  await store.close();
  const { rows } = await pool.query('SELECT FROM example_outbox');
  await pool.end();
  return { placed: orderId, sameJob: first.join() === again.join(), sent, left: rows.length };
}

async function placeOrder(pool: pg.Pool, orderId: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO example_orders (id) VALUES ($1)', [orderId]);
    await client.query('INSERT INTO example_outbox (order_id) VALUES ($1)', [orderId]);
    await client.query('COMMIT');
  } catch (error) {
    // If this fails too, the first error is the one that tells why.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/**
 * Into the log, then out of the table. A row that is carried twice is one job, because its request id is known: for 24 hours, and among the
 * last 100,000 calls.
 */
async function carry(pool: pg.Pool, receipts: Queue<ReceiptJobs>, end: 'COMMIT' | 'ROLLBACK'): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ id: string; request_id: string; order_id: string }>(
      'SELECT id, request_id, order_id FROM example_outbox ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED',
    );
    const jobs = await Promise.all(
      rows.map((row) => receipts.enqueue('send', { orderId: row.order_id }, { requestId: row.request_id })),
    );
    await client.query('DELETE FROM example_outbox WHERE id = ANY($1)', [rows.map(({ id }) => id)]);
    await client.query(end);
    return jobs.map(({ id }) => id);
  } catch (error) {
    // If this fails too, the first error is the one that tells why.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
