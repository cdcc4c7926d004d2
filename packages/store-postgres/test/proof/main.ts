import process from 'node:process';
import { parseArgs } from 'node:util';
import { chooseSeed } from '@holdfast/testing';
import { findTestDatabase, NO_DATABASE, PostgresRig } from '../test-database.js';
import { type Fault, faultsOf, prove } from './proof.js';

const FAULTS: readonly Fault[] = ['none', 'kill', 'terminate'];

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
      const figures = await prove(rig, plan);
      const wrong = faultsOf(plan, figures);
      problems += wrong.length;
      console.log(`${fault}: ${wrong.length === 0 ? 'holds' : wrong.join('; ')} ${JSON.stringify(figures)}`);
    } finally {
      await rig.close();
    }
  }
  return problems === 0 ? 0 : 1;
}
