import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Order } from '../orders/order.js';
import { Postman } from '../receipts/postman.js';
import { MailServer } from './mail-server.js';
import { MailStore } from './mail-store.js';
import { receiptMessageId } from './message-id.js';

const order: Order = {
  orderId: '3f0c2a54-9d3e-4a55-8b36-1f4f4d0c7a10',
  placedAtMs: Date.UTC(2026, 10, 29),
  customer: { name: 'Ada Lovelace', email: 'ada@example.org' },
  items: [{ sku: 'rope', quantity: 1, unitPriceCents: 100 }],
};

let directory: string;
let store: MailStore;
let server: MailServer;
let postman: Postman;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-mails-'));
  store = await MailStore.open(directory);
  server = await MailServer.start(store);
  postman = new Postman(server);
});

afterEach(async () => {
  postman.onApplicationShutdown();
  await server.onApplicationShutdown();
  await rm(directory, { recursive: true, force: true });
});

describe('the way of a receipt', () => {
  it('ends in one file, however often and on however many connections it is sent', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => postman.sendReceipt(order)));
    expect(answers.filter(({ answer }) => answer.endsWith('Kept'))).toHaveLength(1);
    expect(await readdir(directory)).toEqual([`order-${order.orderId}.eml`]);
    expect(store.list()).toMatchObject({ total: 1, duplicatesDropped: 14 });
    expect(store.list().mails[0]).toMatchObject({
      messageId: receiptMessageId(order.orderId),
      to: 'Ada Lovelace <ada@example.org>',
      subject: `Your receipt for order ${order.orderId}`,
    });
  });

  it('carries names outside of ASCII', async () => {
    await postman.sendReceipt({ ...order, customer: { name: 'Ærøskøbing, "Ž" 学生', email: 'z@example.org' } });
    expect(store.list().mails[0]?.to).toContain('Ærøskøbing, "Ž" 学生');
  });

  it('is not taken when the mail cannot be kept', async () => {
    await rm(directory, { recursive: true });
    await expect(postman.sendReceipt(order)).rejects.toThrow(/ENOENT/);
  });
});

describe('MailServer', () => {
  it('refuses a mail that is too large, and keeps nothing of it', async () => {
    const transport = createTransport({ host: '127.0.0.1', port: server.port, ignoreTLS: true });
    const text = 'x'.repeat(1_100_000);
    await expect(transport.sendMail({ from: 'a@b.example', to: 'c@d.example', text })).rejects.toThrow(/size|larger/i);
    expect(await readdir(directory)).toEqual([]);
  });
});
