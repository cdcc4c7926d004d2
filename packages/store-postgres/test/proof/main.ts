import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Fault, faultsOf, prove } from '@holdfast/store-trials';
import { chooseSeed } from '@holdfast/testing';
import { NO_CLUSTER } from '../own-cluster.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from '../test-database.js';
import { faultsOfOutage, type OutageFigures } from './outage.js';
import { allConnectionsKilled, cutOff, serverCrashed } from './outages.js';
import { proofRig } from './proof-rig.js';

const FAULTS: readonly Fault[] = ['none', 'kill', 'terminate'];
const OUTAGES: Readonly<Record<string, (url: string) => Promise<OutageFigures | undefined>>> = {
  'all connections killed': allConnectionsKilled,
  'cut off for 10 s': (url) => cutOff(url, 10_000),
  'cut off for 60 s': (url) => cutOff(url, 60_000),
  'server crashed and started again': () => serverCrashed(1000),
};

/** Prints what came of each proof. @returns 1 where one does not hold */
export async function main(programArguments: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...programArguments],
    options: { jobs: { type: 'string', default: '10000' }, workers: { type: 'string', default: '4' } },
  });
  const database = await findTestDatabase();
  if (database === undefined) {
    console.error(`Nothing was proved: ${NO_DATABASE}.`);
    return 1;
  }
  const seed = chooseSeed();
  const [jobs, workers] = [Number(values.jobs), Number(values.workers)];
  console.log(
    `PostgreSQL ${database.version}, Node ${process.version}, ${jobs} jobs, ${workers} processes, seed ${seed}`,
  );
  let problems = 0;
  for (const fault of FAULTS) {
    const rig = new PostgresRig(database.url, { retention: { completed: { count: jobs } } });
    try {
      const plan = { jobs, workers, fault, seed };
      const figures = await prove(proofRig(rig), plan);
      const wrong = faultsOf(plan, figures);
      problems += wrong.length;
      console.log(`${fault}: ${wrong.length === 0 ? 'holds' : wrong.join('; ')} ${JSON.stringify(figures)}`);
    } finally {
      await rig.close();
    }
  }
  return problems + (await proveOutages(database.url)) === 0 ? 0 : 1;
}

/** @returns how many problems there were */
async function proveOutages(url: string): Promise<number> {
  let problems = 0;
  for (const [name, outage] of Object.entries(OUTAGES)) {
    const figures = await outage(url);
    const wrong = figures === undefined ? [`not tried: ${NO_CLUSTER}`] : faultsOfOutage(figures);
    problems += wrong.length;
    console.log(`${name}: ${wrong.length === 0 ? 'holds' : wrong.join('; ')} ${JSON.stringify(figures ?? {})}`);
  }
  return problems;
}
