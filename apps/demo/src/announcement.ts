import { type RecoveryReport } from '@holdfast/contract';
import { DASHBOARD_PATH } from './dashboard-access.js';
import { type DemoConfig } from './demo-config.js';
import { LOOPBACK } from './http/free-port.js';
import { POISON_SKU } from './orders/poison.js';
import { type RunningShop } from './start-shop.js';

/** What a newcomer reads first. */
export function announcement(config: DemoConfig, { port, pid, recovery }: RunningShop): string {
  const shop = `http://${LOOPBACK}:${port}`;
  const taken =
    config.port === 0 || config.port === port ? [] : [`Port ${config.port} is taken, so the shop is on ${port}.`, ''];
  return [
    '',
    ...taken,
    `  Shop       ${shop}`,
    `  Dashboard  ${shop}${DASHBOARD_PATH}`,
    `  Data       ${config.queueDirectory}, ${config.mailDirectory}`,
    `  Recovery   ${whatWasFound(recovery)}`,
    `  Process    ${pid}, seed ${config.seed}`,
    '',
    'What to try:',
    '',
    '  Place an order',
    `    curl -s ${shop}/orders -H 'Content-Type: application/json' -d '${JSON.stringify(example(config))}'`,
    '  Kill the shop while it works, then start it again with npm run demo: each confirmed order has one mail',
    `    kill -9 ${pid}`,
    '  Mend the receiver of the webhooks, then redrive the dead ones in the dashboard',
    `    curl -s -X POST ${shop}/receiver/mend`,
    config.customer
      ? `  A built-in customer orders about once a second. Stop it: curl -s -X POST ${shop}/customer/stop`
      : `  The built-in customer is off. Start it: curl -s -X POST ${shop}/customer/start`,
    '',
    'Ctrl-C ends the shop in order.',
    '',
  ].join('\n');
}

/** Shows who has killed the shop what became of the jobs that it was at. */
function whatWasFound({ kind, recordsReplayed, tookMs, leasesEnded }: RecoveryReport): string {
  if (kind === 'new') return 'the queue is new';
  const read = `${recordsReplayed} records read in ${Math.round(tookMs)} ms`;
  if (kind === 'clean') return `the last shop ended in order; ${read}`;
  return `the last shop was cut off with ${leasesEnded.retried + leasesEnded.dead} jobs under way; ${read}`;
}

function example(config: DemoConfig) {
  return {
    customer: { name: 'Ada', email: 'ada@example.org' },
    items: [{ sku: config.poison ? POISON_SKU : 'rope-20m', quantity: 2, unitPriceCents: 1999 }],
  };
}
