import { parseArgs } from 'node:util';
import { DEPTH } from './crash-states.js';
import { chooseSeed } from './seeded-random.js';
import { Simulation } from './simulation.js';

const EXIT = { kept: 0, broken: 1, usage: 2 } as const;
const PROGRESS_MS = 30_000;

const USAGE = `npm run simulate -- [options]

  --states <n>   crash states; default 100000
  --seed <n>     the same lives as in the run that printed it; default: a new one
  --minutes <n>  ends earlier when so much time has passed

Exit codes: ${EXIT.kept} every invariant held, ${EXIT.broken} one was violated, ${EXIT.usage} usage.
`;

/** @returns the exit code */
export function main(programArguments: readonly string[]): number {
  const { values } = parseArgs({
    args: [...programArguments],
    options: {
      states: { type: 'string', default: '100000' },
      seed: { type: 'string' },
      minutes: { type: 'string', default: 'Infinity' },
      help: { type: 'boolean', default: false },
    },
  });
  const states = Number(values.states);
  const minutes = Number(values.minutes);
  const seed = values.seed === undefined ? chooseSeed() : Number(values.seed);
  if (values.help || !(states > 0) || !(minutes > 0) || Number.isNaN(seed)) {
    console.log(USAGE);
    return values.help ? EXIT.kept : EXIT.usage;
  }
  return run(new Simulation(seed, DEPTH), states, minutes);
}

/** A violation does not end the run: the next life is another one. */
function run(simulation: Simulation, states: number, minutes: number): number {
  const startMs = performance.now();
  let saidMs = startMs;
  console.log(`seed ${simulation.seed}`);
  while (simulation.states.states < states && performance.now() - startMs < minutes * 60_000) {
    try {
      simulation.liveOnce();
    } catch (error) {
      console.error(error);
    }
    if (performance.now() - saidMs < PROGRESS_MS) continue;
    saidMs = performance.now();
    const { states: tally, violations } = simulation;
    console.log(`${tally.states} states after ${seconds(saidMs - startMs)} s, ${violations.size} kinds of violations`);
  }
  console.log(`${simulation.summary()}\ntook ${seconds(performance.now() - startMs)} s`);
  return simulation.violations.size === 0 ? EXIT.kept : EXIT.broken;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(0);
}
