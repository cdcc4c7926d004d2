import { DASHBOARD_PATH } from './dashboard-access.js';
import { type DemoConfig } from './demo-config.js';
import { LOOPBACK } from './http/free-port.js';
import { POISON_SKU } from './orders/poison.js';

/** What a newcomer reads first. */
export function announcement({ config, port, pid }: { config: DemoConfig; port: number; pid: number }): string {
  const shop = `http://${LOOPBACK}:${port}`;
  const taken =
    config.port === 0 || config.port === port ? [] : [`Port ${config.port} is taken, so the shop is on ${port}.`, ''];
  return [
    '',
    ...taken,
    `  Shop       ${shop}`,
    `  Dashboard  ${shop}${DASHBOARD_PATH}`,
    `  Data       ${config.queueDirectory}, ${config.mailDirectory}`,
    `  Process    ${pid}, seed ${config.seed}`,
    '',
    'What to try:',
    '',
    '  Place an order',
    `    curl -s ${shop}/orders -H 'Content-Type: application/json' -d '${JSON.stringify(example(config))}'`,
    '  Kill the shop while it works, then start it again: each confirmed order has one mail',
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

function example(config: DemoConfig) {
  return {
    customer: { name: 'Ada', email: 'ada@example.org' },
    items: [{ sku: config.poison ? POISON_SKU : 'rope-20m', quantity: 2, unitPriceCents: 1999 }],
  };
}
