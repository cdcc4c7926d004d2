// Starts the shop, kills it with SIGKILL while it works, and starts it again; in the end it compares what customers were told
// with what was done.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const KILLS = Number(process.env.KILLS ?? 5);
const ORDERS_A_LIFE = 200;
const SHOP = fileURLToPath(new URL('shop.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'holdfast-crash-demo-'));
/** What customers have been told. */
const confirmed = new Set<string>();

for (let life = 1; life <= KILLS; life++) await runShop('take', life);
await runShop('finish', KILLS + 1);
prove();

/** Answers when the shop has ended: killed amid its orders, or by itself when nothing is left. */
async function runShop(task: 'take' | 'finish', life: number): Promise<void> {
  const shop = spawn(process.execPath, [SHOP, directory, task, String(life)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<string | number | null>((resolve) => {
    shop.once('close', (code, signal) => resolve(signal ?? code));
  });
  const killAfter = confirmed.size + ORDERS_A_LIFE + Math.floor(Math.random() * ORDERS_A_LIFE);
  for await (const line of createInterface({ input: shop.stdout })) {
    const [word, rest = ''] = line.split(/ (.*)/);
    if (word === 'opened') console.log(`life ${life}: log ${opened(rest)}`);
    if (word === 'confirmed') confirmed.add(rest);
    if (task === 'take' && confirmed.size >= killAfter) shop.kill('SIGKILL');
  }
  console.log(`life ${life}: ended by ${await ended}, ${confirmed.size} orders confirmed so far`);
}

function opened(report: string): string {
  const { kind, cutOff } = JSON.parse(report) as { kind: string; cutOff: number };
  return kind === 'unclean' ? `was not closed; ${cutOff} jobs under way will run again` : `is ${kind}`;
}

function prove(): void {
  const written = readFileSync(join(directory, 'receipts.txt'), 'utf8').trim().split('\n');
  const receipts = new Set(written);
  const lost = [...confirmed].filter((order) => !receipts.has(order));
  const unconfirmed = [...receipts].filter((order) => !confirmed.has(order));
  console.log(`orders confirmed:      ${confirmed.size}`);
  console.log(`  with a receipt:      ${confirmed.size - lost.length}`);
  console.log(`  lost:                ${lost.length}`);
  console.log(
    `orders not confirmed:  ${unconfirmed.length} (killed between the store and its answer; worked off as well)`,
  );
  console.log(`receipts written twice: ${written.length - receipts.size} (killed between the work and its ack)`);
  if (lost.length > 0) {
    console.log(`Lost: ${lost.join(', ')}. The log is in ${directory}`);
    process.exitCode = 1;
  } else {
    rmSync(directory, { recursive: true });
  }
}
