import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchCase } from './bench-case.js';
import { CASES } from './cases.js';
import type { ComparedMeasurement } from './measurement.js';
import { describeRun, summarise } from './results.js';
import { resultTable } from './table.js';

const HELP = `Measures Holdfast's log store beside the bare limit of the same disk.

  --rounds <n>       runs of each case, in turns (default 5)
  --only <case>      one of: ${CASES.map((benchCase) => benchCase.name).join(', ')}
  --scale <factor>   multiplies the number of jobs (default 1)
  --directory <dir>  where the stores are made (default: the system's folder for temporary files)
  --json <file>      where the results go (default bench/results/latest.json)
  --help             this text
`;

// pnpm hands the `--` of `npm run bench -- …` on.
const args = process.argv.slice(2).filter((argument) => argument !== '--');
const { values: options } = parseArgs({
  args,
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    scale: { type: 'string', default: '1' },
    directory: { type: 'string', default: tmpdir() },
    json: { type: 'string', default: fileURLToPath(new URL('../results/latest.json', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  process.stdout.write(HELP);
} else {
  const rounds = positive('rounds', options.rounds);
  const scale = positive('scale', options.scale);
  const cases = CASES.filter((benchCase) => options.only === undefined || benchCase.name === options.only);
  if (cases.length === 0) throw new RangeError(`No case is called ${options.only}. See --help.`);
  const results = describeRun(
    ['npm run bench', ...(args.length === 0 ? [] : ['--', ...args])].join(' '),
    rounds,
    runAll(cases, rounds, scale),
  );
  const file = resolve(options.json);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  process.stdout.write(`\n${resultTable(results)}\n\nJSON: ${file}\n`);
}

/** Cases take turns within a round, so that a slow minute of the machine does not hit one case alone. */
function runAll(cases: readonly BenchCase[], rounds: number, scale: number) {
  const runs = new Map<string, ComparedMeasurement[]>(cases.map((benchCase) => [benchCase.name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const benchCase of cases) {
      process.stderr.write(`round ${round} of ${rounds}: ${benchCase.title}\n`);
      runs.get(benchCase.name)!.push(runOnce(benchCase, Math.max(1, Math.round(benchCase.jobs * scale))));
    }
  }
  return cases.map((benchCase) => summarise(benchCase, runs.get(benchCase.name)!));
}

function runOnce(benchCase: BenchCase, jobs: number): ComparedMeasurement {
  const script = fileURLToPath(new URL('./run-case.js', import.meta.url));
  const output = execFileSync(
    process.execPath,
    ['--enable-source-maps', script, benchCase.name, String(jobs), options.directory],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return JSON.parse(output) as ComparedMeasurement;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`--${name} is ${text}, but must be a number above 0.`);
  return value;
}
