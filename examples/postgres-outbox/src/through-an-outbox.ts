// Jobs in a log, orders in a database: the database keeps the job first, in a table, and a relay carries it over.
import { setTimeout } from 'node:timers/promises';
import {
  type Outbox,
  openLogStore,
  pgOutbox,
  pgOutboxTable,
  Queue,
  startOutboxRelay,
  startWorker,
} from '@holdfast/core';
import pg from 'pg';

interface ReceiptJobs {
  send: { orderId: string };
}

export async function throughAnOutbox(connectionString: string, directory: string) {
  const pool = new pg.Pool({ connectionString });
  await pool.query(
    `CREATE TABLE IF NOT EXISTS example_orders (id text PRIMARY KEY); ${pgOutboxTable('example_outbox')}`,
  );
  const outbox = pgOutbox<ReceiptJobs>(pool, { table: 'example_outbox' });
  const store = await openLogStore({ directory });
  const receipts = new Queue<ReceiptJobs>('receipts', { store });
  const sent: string[] = [];
  const worker = startWorker<ReceiptJobs>({
    store,
    queue: 'receipts',
    handlers: {
      send: ({ payload }) => void sent.push(payload.orderId),
    },
  });
  const told: string[] = [];
  const relay = startOutboxRelay({
    queue: receipts,
    outbox: lostOnce(outbox),
    onError: ({ code }) => void told.push(code),
  });

  const orderId = `order-${Date.now()}`;
  await placeOrder(orderId);
  relay.wake();
  while ((await pool.query('SELECT FROM example_outbox')).rows.length > 0) await setTimeout(20);
  while ((await waiting()) > 0) await setTimeout(20);

  // What is under way is finished first, and the pool is ended last.
  await relay.close();
  await worker.close();
  await store.close();
  await pool.end();
  return { placed: orderId, told, sent };

  async function waiting(): Promise<number> {
    const { ready, leased } = await receipts.counts();
    return ready + leased;
  }

  async function placeOrder(orderId: string): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('INSERT INTO example_orders (id) VALUES ($1)', [orderId]);
      await outbox.add(client, 'send', { orderId });
      await client.query('COMMIT');
    } catch (error) {
      // If this fails too, the first error is the one that tells why.
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }
}

/**
 * As if the connection had been lost, or the process killed, when the first jobs were in the log and their rows still in the table: they are carried again.
 * Each is one job all the same, because its request id is known: for 24 hours, and among the last 100,000 calls.
 */
function lostOnce(outbox: Outbox): Outbox {
  let lost = false;
  return {
    codec: outbox.codec,
    retryRefused: () => outbox.retryRefused(),
    carry: (rowsMax, store) =>
      outbox.carry(rowsMax, async (rows) => {
        const refusals = await store(rows);
        if (lost) return refusals;
        lost = true;
        throw new Error('The connection was lost.');
      }),
  };
}
