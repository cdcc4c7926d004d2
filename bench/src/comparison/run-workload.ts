import { writeSync } from 'node:fs';
import process from 'node:process';
import type { ServerAddress } from './compared-queue.js';
import { ENTRANTS } from './entrants.js';
import type { Figures } from './figures.js';
import { WORKLOADS } from './workloads.js';

/** What the process of a run is told, as the JSON of its only argument. */
export interface RunOrder {
  readonly entrant: string;
  readonly workload: string;
  readonly scale: number;
  readonly directory: string;
  readonly server?: ServerAddress;
}

/** What it prints, as JSON. */
export interface RunAnswer {
  readonly version: string;
  readonly figures: Figures;
}

const order = JSON.parse(process.argv[2] ?? '{}') as RunOrder;
const entrant = ENTRANTS.find(({ name }) => name === order.entrant);
const workload = WORKLOADS.find(({ name }) => name === order.workload);
if (entrant === undefined || workload === undefined) throw new Error('Usage: run-workload <order as JSON>');

const { directory, scale, server } = order;
const place = { directory, ...(server === undefined ? {} : { server }) };
const queue = await entrant.open(place);
const figures = await workload.run({ queue, entrant, scale, ...(server === undefined ? {} : { server }) });
await queue.close();
writeSync(1, `${JSON.stringify({ version: queue.version, figures } satisfies RunAnswer)}\n`);
// A peer may have left a timer or a connection behind: that is not what is measured here.
process.exit(0);
