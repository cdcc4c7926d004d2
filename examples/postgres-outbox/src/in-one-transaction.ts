// Jobs in the database of the orders: the job is stored in the transaction of the order.
import { Queue, startWorker } from '@holdfast/core';
import { openPostgresStore, type PostgresTransaction, pgTransaction } from '@holdfast/store-postgres';
import pg from 'pg';

interface ReceiptJobs {
  send: { orderId: string };
}

export async function inOneTransaction(connectionString: string) {
  const pool = new pg.Pool({ connectionString });
  const store = await openPostgresStore({ connectionString, schema: 'example_queue' });
  const receipts = new Queue<ReceiptJobs, PostgresTransaction>('receipts', { store });
  await pool.query('CREATE TABLE IF NOT EXISTS example_orders (id text PRIMARY KEY)');
  const sent: string[] = [];
  const worker = startWorker<ReceiptJobs>({
    store,
    queue: 'receipts',
    handlers: {
      send: ({ payload }) => void sent.push(payload.orderId),
    },
  });

  const kept = await place(true);
  const rolledBack = await place(false);
  await receipts.waitFor(kept.jobId);
  const outcome = { kept: kept.orderId, sent, jobOfTheRollback: await receipts.job(rolledBack.jobId) };

  await worker.close();
  await store.close();
  await pool.end();
  return outcome;

  /** There is never an order without its job, and never a job without its order. */
  async function place(paid: boolean): Promise<{ orderId: string; jobId: string }> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const orderId = `order-${Date.now()}-${paid ? 'paid' : 'unpaid'}`;
      await client.query('INSERT INTO example_orders (id) VALUES ($1)', [orderId]);
      const { id } = await receipts.enqueue('send', { orderId }, { transaction: pgTransaction(client) });
      await client.query(paid ? 'COMMIT' : 'ROLLBACK');
      return { orderId, jobId: id };
    } catch (error) {
      // If this fails too, the first error is the one that tells why.
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }
}
