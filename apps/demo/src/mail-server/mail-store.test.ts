import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MailHeader, readMailHeader } from './mail-header.js';
import { MailStore } from './mail-store.js';
import { mailFileName, receiptMessageId } from './message-id.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-mails-'));
});

afterEach(() => rm(directory, { recursive: true }));

describe('MailStore', () => {
  it('keeps one file per Message-ID, whoever delivers first of many at once', async () => {
    const stores = await Promise.all([MailStore.open(directory), MailStore.open(directory)]);
    const orders = Array.from({ length: 5 }, (_, order) => orderId(order));
    const deliveries = orders.flatMap((order) =>
      Array.from({ length: 12 }, (_, copy) => stores[copy % 2]!.keep(...mail(receiptMessageId(order), `copy ${copy}`))),
    );

    const keepings = await Promise.all(deliveries);

    expect(keepings.filter((keeping) => keeping === 'kept')).toHaveLength(orders.length);
    expect((await readdir(directory)).sort()).toEqual(orders.map((order) => `order-${order}.eml`).sort());
    expect(stores[0]!.list().duplicatesDropped + stores[1]!.list().duplicatesDropped).toBe(55);
  });

  it('keeps the first copy as it came and never touches it again', async () => {
    const store = await MailStore.open(directory);
    const id = receiptMessageId(orderId(1));
    expect(await store.keep(...mail(id, 'first'))).toBe('kept');
    expect(await store.keep(...mail(id, 'second'))).toBe('duplicate');
    expect((await store.read(mailFileName(id)))?.toString()).toContain('first');
  });

  it('knows after a restart what it kept before, the latest first', async () => {
    const before = await MailStore.open(directory);
    await before.keep(...mail('<one@example.org>', 'text'));
    await before.keep(...mail('<two@example.org>', 'text'));

    const after = await MailStore.open(directory);

    expect(after.list().total).toBe(2);
    expect(
      after
        .list()
        .mails.map(({ messageId }) => messageId)
        .sort(),
    ).toEqual(['<one@example.org>', '<two@example.org>']);
    expect(await after.keep(...mail('<one@example.org>', 'text'))).toBe('duplicate');
  });

  it('lets no Message-ID choose a path', async () => {
    const store = await MailStore.open(directory);
    const hostile = [
      '<../../escape@x>',
      '</etc/passwd>',
      '<order-../x@shop.holdfast.example>',
      `<${'a'.repeat(5000)}@x>`,
    ];
    for (const id of hostile) expect(await store.keep(...mail(id, 'text'))).toBe('kept');
    expect(await readdir(directory)).toHaveLength(hostile.length);
    for (const name of await readdir(directory)) expect(name).toMatch(/^id-[0-9a-f]{64}\.eml$/);
  });

  it('reads nothing but mails', async () => {
    const store = await MailStore.open(directory);
    await writeFile(join(directory, 'secret.txt'), 'secret');
    for (const name of ['secret.txt', '../secret', '.', `order-${orderId(9)}.eml`]) {
      expect(await store.read(name)).toBeUndefined();
    }
  });

  it('removes what an earlier run left half written, and nothing else', async () => {
    const store = await MailStore.open(directory);
    await store.keep(...mail('<one@example.org>', 'text'));
    await writeFile(join(directory, 'old-run.part'), 'half a ma');
    expect(await store.removeLeftovers()).toBe(1);
    expect(await readdir(directory)).toEqual([mailFileName('<one@example.org>')]);
  });

  it('fails when the disk refuses, and leaves no name behind', async () => {
    const store = await MailStore.open(directory);
    await rm(directory, { recursive: true });
    await expect(store.keep(...mail('<one@example.org>', 'text'))).rejects.toThrow(/ENOENT/);
    expect(store.list().total).toBe(0);
    await MailStore.open(directory);
    expect(await readdir(directory)).toEqual([]);
  });

  it('writes the whole message', async () => {
    const store = await MailStore.open(directory);
    const [message, header] = mail('<big@example.org>', 'x'.repeat(300_000));
    await store.keep(message, header);
    expect(await readFile(join(directory, mailFileName('<big@example.org>')))).toEqual(Buffer.from(message));
  });
});

describe('readMailHeader', () => {
  it('unfolds lines and decodes words', () => {
    const message = Buffer.from(
      'Subject: =?UTF-8?Q?Receipt_f=C3=BCr?=\r\n =?UTF-8?B?IGRpY2g=?=\r\nMESSAGE-ID:\r\n <a@b>\r\nTo: x@y.z\r\n\r\nMessage-ID: <body@b>\r\n',
    );
    expect(readMailHeader(message)).toEqual({ messageId: '<a@b>', to: 'x@y.z', subject: 'Receipt für dich' });
  });

  it('is undefined without a Message-ID in the header', () => {
    expect(readMailHeader(Buffer.from('Subject: x\r\n\r\nMessage-ID: <body@b>\r\n'))).toBeUndefined();
  });
});

function orderId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function mail(messageId: string, text: string): [Uint8Array, MailHeader] {
  const message = Buffer.from(`Message-ID: ${messageId}\r\nTo: ada@example.org\r\nSubject: Receipt\r\n\r\n${text}\r\n`);
  return [message, { messageId, to: 'ada@example.org', subject: 'Receipt' }];
}
