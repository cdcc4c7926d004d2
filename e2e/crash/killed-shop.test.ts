import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdminClient } from '../demo/admin-client.js';
import { DemoChild } from '../demo/demo-child.js';
import { Dice } from '../demo/dice.js';
import { eventually } from '../demo/eventually.js';
import { type Mail, mailsByAddress, readMailbox } from '../demo/mailbox.js';
import { orderBy, placeOrder, tell } from '../demo/shop-client.js';
import { temporaryDirectory } from '../demo/temporary-directory.js';

const ROUNDS = Number(process.env.HOLDFAST_CRASH_ROUNDS ?? 5);
const ORDERS = 300;
const CONNECTIONS = 6;
/** How late after the chosen order the kill may come: about as long as the work on an order takes. */
const KILL_DELAY_MS_MAX = 40;
/** In so many of ten rounds the process is also killed while it starts. */
const KILLED_STARTS_OF_TEN = 3;
const DRAIN_MS_MAX = 60_000;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let demo: DemoChild | undefined;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(async ({ task }) => {
  await demo?.kill();
  if (task.result?.state === 'pass') await directory.remove();
});

describe('a shop that is killed again and again', () => {
  it(`sends one mail for each of ${ORDERS} confirmed orders, through ${ROUNDS} kills`, {
    timeout: 300_000,
  }, async () => {
    const dice = new Dice();
    console.log(`HOLDFAST_SEED=${dice.seed} (data in ${directory.path})`);
    const book = new OrderBook();

    for (let round = 0; round < ROUNDS; round++) await placeOrdersUntilKilled(dice, book, Math.ceil(ORDERS / ROUNDS));

    demo = await startDemo();
    expect((await new AdminClient(await demo.url()).storage()).report.recovery.kind).toBe('unclean');
    await placeOrders(await demo.url(), book, ORDERS - book.confirmed.size);
    await drain(demo);

    expect(book.confirmed.size).toBeGreaterThanOrEqual(ORDERS);
    const mails = await readMailbox(directory.path);
    expectOneMailEach(book, mails);
    await expectNothingLeft(demo);

    expect(await demo.stop()).toEqual({ code: 0, signal: null });
    demo = await startDemo();
    const { report } = await new AdminClient(await demo.url()).storage();
    expect(report.recovery).toMatchObject({ kind: 'clean', leasesEnded: { retried: 0, dead: 0 } });
    expect(report.recovery.tornTail).toBeUndefined();
    await expectNothingLeft(demo);
    expect(await readMailbox(directory.path)).toHaveLength(mails.length);
    console.log(
      `${book.confirmed.size} orders confirmed, ${book.unanswered.size} without an answer, ${mails.length} mails`,
    );
  });
});

/** What the customers know. Each order has an address of its own, so that also one without an answer can be looked for. */
class OrderBook {
  /** Address → order id. */
  readonly confirmed = new Map<string, string>();
  readonly unanswered = new Set<string>();
  #addresses = 0;

  nextAddress(): string {
    this.#addresses += 1;
    return `customer-${this.#addresses}@example.org`;
  }
}

function startDemo(): Promise<DemoChild> {
  return DemoChild.start({ dataDirectory: directory.path });
}

async function placeOrdersUntilKilled(dice: Dice, book: OrderBook, orders: number): Promise<void> {
  if (dice.between(1, 10) <= KILLED_STARTS_OF_TEN) await killWhileStarting(dice);
  demo = await startDemo();
  const url = await demo.url();
  // The orders before which it is certain that there is more to come.
  const killAfter = book.confirmed.size + dice.between(1, orders - 1);
  const killDelayMs = dice.between(0, KILL_DELAY_MS_MAX);
  const killed = eventually('the order after which the shop is killed', DRAIN_MS_MAX, async () =>
    book.confirmed.size >= killAfter ? true : undefined,
  ).then(() => afterMs(killDelayMs, () => demo?.kill()));
  await Promise.all([placeOrders(url, book, orders), killed]);
}

async function killWhileStarting(dice: Dice): Promise<void> {
  const starting = new DemoChild({ dataDirectory: directory.path });
  demo = starting;
  await afterMs(dice.between(0, 1_500), () => starting.kill());
}

/** A random moment, not an order of events: nothing is expected to have happened by then. */
async function afterMs(ms: number, act: () => Promise<unknown> | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await act();
}

/** Until so many orders were sent, or the shop is gone. */
async function placeOrders(url: string, book: OrderBook, orders: number): Promise<void> {
  let left = orders;
  const customer = async () => {
    while (left > 0) {
      left -= 1;
      const address = book.nextAddress();
      const placed = await placeOrder(url, orderBy(address));
      if (placed === undefined) {
        book.unanswered.add(address);
        return;
      }
      book.confirmed.set(address, placed.orderId);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, customer));
}

async function drain(shop: DemoChild): Promise<void> {
  const url = await shop.url();
  const admin = new AdminClient(url);
  await tell(url, '/receiver/mend');
  await eventually('all jobs done', DRAIN_MS_MAX, async () => {
    await redriveTheStruckDown(admin);
    const left = { receipts: await admin.unfinished('receipts'), webhooks: await admin.unfinished('webhooks') };
    if (left.receipts + left.webhooks > 0) throw new Error(`Unfinished: ${JSON.stringify(left)}`);
    return true;
  });
}

/**
 * A receipt that was at work each time that the process was killed has used up its attempts, and is dead as promised: with many rounds,
 * some are. It is not lost, and gets its mail when an operator redrives it.
 */
async function redriveTheStruckDown(admin: AdminClient): Promise<void> {
  const { rows } = await admin.deadJobs('receipts');
  if (rows.length === 0) return;
  expect(new Set(rows.map(({ lastError }) => lastError?.class))).toEqual(new Set(['ProcessEnded']));
  const { outcome } = await admin.redriveAllDead('receipts');
  console.log(`${outcome.done} receipts had been struck down with the process at every attempt: redriven`);
}

function expectOneMailEach(book: OrderBook, mails: readonly Mail[]): void {
  const counts = mailsByAddress(mails);
  const files = new Set(mails.map(({ file }) => file));
  const lost = [...book.confirmed.keys()].filter((address) => counts.get(address) === undefined);
  const doubled = [...counts].filter(([, count]) => count > 1);
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  const misnamed = [...book.confirmed.values()].filter((orderId) => !files.has(`order-${orderId}.eml`));
  expect(misnamed).toEqual([]);
  const known = new Set([...book.confirmed.keys(), ...book.unanswered]);
  expect([...counts.keys()].filter((address) => !known.has(address))).toEqual([]);
}

async function expectNothingLeft(shop: DemoChild): Promise<void> {
  const admin = new AdminClient(await shop.url());
  expect((await admin.leases()).leases).toEqual([]);
  const { counts } = await admin.queue('receipts');
  expect(counts).toMatchObject({ scheduled: 0, ready: 0, leased: 0, dead: 0 });
}
