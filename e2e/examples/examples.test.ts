import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../demo/eventually.js';
import { temporaryDirectory } from '../demo/temporary-directory.js';
import { NodeProcess, post } from './node-process.js';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');
const POSTGRES = process.env.HOLDFAST_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test';
const PATIENCE_MS = 30_000;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(() => directory.remove());

function start(example: string, environment: Readonly<Record<string, string>> = {}): NodeProcess {
  const started = new NodeProcess(join(EXAMPLES, example, 'dist', 'main.js'), directory.path, environment);
  onTestFinished(() => started.kill());
  return started;
}

describe('the example', () => {
  it('quick-start stores a job, tries it twice and is done', async () => {
    const example = start('quick-start');
    expect(await example.ended, example.output).toBe(0);
    const lines = example.lines.map((line) => line.replace(/^stored .+/, 'stored'));
    // That an attempt failed is told when the store has answered: on a busy machine the next one has begun by then.
    const told = lines.indexOf('attempt 1 failed: the mail server is not there yet');
    expect(told).toBeGreaterThan(1);
    expect(lines.toSpliced(told, 1)).toEqual([
      'stored',
      'sending the receipt of o-1 to ada@example.org, attempt 1',
      'sending the receipt of o-1 to ada@example.org, attempt 2',
      "done: { sentTo: 'ada@example.org' }",
    ]);
    expect(told).toBeLessThan(lines.length - 1);
  });

  it('crash-demo loses nothing that was confirmed, and says so', async () => {
    const example = start('crash-demo', { KILLS: '2' });
    expect(await example.ended, example.output).toBe(0);
    const confirmed = Number(await example.said(/^orders confirmed: +(\d+)$/));
    // Two lives of at least so many orders each: had they not been killed amid more, there would be no proof.
    expect(confirmed).toBeGreaterThanOrEqual(400);
    expect(Number(await example.said(/^ {2}with a receipt: +(\d+)$/))).toBe(confirmed);
    await example.said(/^ {2}lost: +0$/);
    await example.said(/^life 2: ended by SIGKILL/);
    await example.said(/^life 3: log was not closed; \d+ jobs under way will run again$/);
  });

  it('nest-mail has a receipt delivered that the server first refuses, and once for an order that is placed twice', async () => {
    const server = await MailServer.start();
    const example = start('nest-mail', { SMTP_URL: server.url, RETRY_MS: '300' });
    const url = `${await example.said(/^listening on (\S+)$/)}/orders`;
    const order = { orderId: 'o-1', email: 'ada@example.org' };
    const first = await post(url, order);
    expect(await post(url, order)).toMatchObject({ id: first.id, outcome: 'duplicate' });
    await example.said(/Receipt of o-1 sent, attempt 2/);
    expect(server.mails).toEqual([expect.stringContaining('Message-ID: <receipt-o-1@shop.example>')]);
    expect(await example.stop()).toBe('SIGTERM');
  });

  it('nest-webhooks calls again under the same key, waits as it is told, and gives a receiver up that is gone', async () => {
    const receiver = await Receiver.start({ '/down': [503, 200], '/busy': [429, 204], '/gone': [410] });
    const example = start('nest-webhooks', { RETRY_MS: '200' });
    const url = `${await example.said(/^listening on (\S+)$/)}/orders`;
    const ends = Object.entries({
      '/down': { state: 'completed', attempts: 2 },
      '/busy': { state: 'completed', attempts: 2 },
      '/gone': { state: 'dead', attempts: 1 },
    });
    for (const [path, end] of ends) {
      const { id } = await post(url, { orderId: path, url: receiver.url + path });
      await eventually(`the webhook ${path} is ${end.state}`, PATIENCE_MS, async () => {
        const webhook = await (await fetch(`${url}/webhooks/${id}`)).json();
        expect(webhook).toEqual(end);
        return true;
      });
    }
    const calls = ['/down', '/down', '/busy', '/busy', '/gone'];
    expect(receiver.calls).toEqual(calls.map((path) => ({ path, key: path })));
    expect(await example.stop()).toBe('SIGTERM');
  });

  it('postgres-outbox has a job for what was committed, none for what was rolled back, and one for what was carried twice', async (context) => {
    const database = await ownDatabase().catch((error: unknown) => `no PostgreSQL answers at ${POSTGRES}: ${error}`);
    if (typeof database === 'string') return context.skip(database);
    onTestFinished(() => database.drop());
    const example = start('postgres-outbox', { DATABASE_URL: database.url });
    expect(await example.ended, example.output).toBe(0);
    const kept = await example.said(/kept: '(order-\d+-paid)'/);
    const placed = await example.said(/placed: '(order-\d+)'/);
    const output = example.output.replaceAll(/\s+/g, ' ');
    expect(output).toContain(`one transaction: { kept: '${kept}', sent: [ '${kept}' ], jobOfTheRollback: undefined }`);
    expect(output).toContain(`outbox: { placed: '${placed}', told: [ 'OUTBOX_FAILED' ], sent: [ '${placed}' ] }`);
  });
});

/** A mail server that says of each recipient's first mail that it is to come later. */
class MailServer {
  readonly mails: string[] = [];
  readonly url: string;

  private constructor(server: SMTPServer) {
    this.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<MailServer> {
    const known = new Set<string>();
    let mailServer: MailServer | undefined;
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, answer) => {
        const refusal = Object.assign(new Error('Try again later'), { responseCode: 451 });
        answer(known.has(address) ? null : refusal);
        known.add(address);
      },
      onData: (stream, _session, answer) => {
        let mail = '';
        stream.setEncoding('utf8').on('data', (text: string) => {
          mail += text;
        });
        stream.once('end', () => {
          mailServer?.mails.push(mail);
          answer(null, 'Kept');
        });
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    onTestFinished(() => new Promise<void>((closed) => server.close(closed)));
    mailServer = new MailServer(server);
    return mailServer;
  }
}

/** Somebody else's server: gives each path its answers in turn. */
class Receiver {
  readonly calls: { readonly path: string; readonly key: string | undefined }[] = [];
  readonly url: string;

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(answers: Record<string, number[]>): Promise<Receiver> {
    let receiver: Receiver | undefined;
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      receiver?.calls.push({ path, key: request.headers['idempotency-key']?.toString() });
      request.resume();
      response.writeHead(answers[path]?.shift() ?? 404, { 'retry-after': '0' }).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    receiver = new Receiver((server.address() as AddressInfo).port);
    return receiver;
  }
}

/** The example makes its tables in the database that it is given. */
async function ownDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const client = new pg.Client({ connectionString: POSTGRES, connectionTimeoutMillis: 3_000 });
  await client.connect();
  const name = `holdfast_example_${randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE DATABASE ${name}`);
  const url = new URL(POSTGRES);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.end();
    },
  };
}
