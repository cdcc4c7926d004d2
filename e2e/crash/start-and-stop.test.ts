import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdminClient } from '../demo/admin-client.js';
import { DemoChild } from '../demo/demo-child.js';
import { eventually } from '../demo/eventually.js';
import { mailsByAddress, readMailbox } from '../demo/mailbox.js';
import { orderBy, placeOrderSurely } from '../demo/shop-client.js';
import { temporaryDirectory } from '../demo/temporary-directory.js';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
const demos: DemoChild[] = [];

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(async () => {
  for (const demo of demos.splice(0)) await demo.kill();
  await directory.remove();
});

async function start(env: Record<string, string> = {}): Promise<DemoChild> {
  const demo = new DemoChild({ dataDirectory: directory.path, env });
  demos.push(demo);
  await demo.url();
  return demo;
}

describe('a second shop on the same data', () => {
  it('ends with code 1, says who has it, and harms nobody', async () => {
    const first = await start();
    const second = new DemoChild({ dataDirectory: directory.path });
    demos.push(second);

    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.output).toContain(`in use by process ${first.pid}`);
    expect(second.output).not.toMatch(/^ +at /m);

    await placeOrderSurely(await first.url(), orderBy('ada@example.org'));
    await eventually('the mail of the order', 15_000, async () =>
      mailsByAddress(await readMailbox(directory.path)).has('ada@example.org') ? true : undefined,
    );
  });
});

describe('a shop that cannot start', () => {
  it('names the variable that it cannot use, without a stack', async () => {
    const demo = new DemoChild({ dataDirectory: directory.path, env: { PORT: 'http' } });
    demos.push(demo);
    expect(await demo.exited).toEqual({ code: 1, signal: null });
    expect(demo.output).toContain('PORT must be a whole number from 0 to 65535');
    expect(demo.output).not.toMatch(/^ +at /m);
  });
});

describe('a port that is taken', () => {
  it('is left alone: the shop takes the next one and says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const demo = await start({ PORT: String(port) });
      expect(demo.output).toContain(`Port ${port} is taken, so the shop is on `);
      expect((await fetch(`${await demo.url()}/health`)).status).toBe(200);
    } finally {
      other.close();
    }
  });
});

describe('a shop that is told to stop', () => {
  it('hands back what it is still at, uncounted, and is gone within seconds', async () => {
    const slow = await start({ DEMO_SLOW_MS: '600000' });
    const { jobId } = await placeOrderSurely(await slow.url(), orderBy('ada@example.org'));
    await eventually('the receipt is at work', 15_000, async () => {
      const { leases } = await new AdminClient(await slow.url()).leases();
      return leases.some(({ id }) => id === jobId) ? true : undefined;
    });

    const startedMs = performance.now();
    expect(await slow.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedMs).toBeLessThan(10_000);

    const next = await start();
    const admin = new AdminClient(await next.url());
    expect((await admin.storage()).report.recovery.kind).toBe('clean');
    const job = await eventually('the receipt is done', 15_000, async () => {
      const answer = await admin.job(jobId);
      return answer.job.state === 'completed' ? answer.job : undefined;
    });
    expect(job.attempts).toBe(1);
    expect(job.attemptLog.map(({ outcome }) => outcome)).toEqual(['released', 'completed']);
  });
});
