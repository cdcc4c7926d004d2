import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchCase, Round } from './bench-case.js';
import { CASES } from './cases.js';
import type { Metrics } from './metrics.js';
import type { PeerName } from './peer.js';
import { findDriver } from './peers/sqlite-driver.js';
import { describeRun } from './results.js';
import { runRounds, writeResults } from './rounds.js';
import { slowSyncEnvironment } from './slow-sync.js';
import { resultTable } from './table.js';

const HELP = `Measures Holdfast's log store beside the bare limit and beside a queue on SQLite, in turns.

  --rounds <n>       runs of each case (default 5)
  --only <cases>     some of: ${CASES.map((benchCase) => benchCase.name).join(', ')}
  --scale <factor>   multiplies the number of jobs (default 1)
  --directory <dir>  where the stores are made (default: the system's folder for temporary files)
  --json <file>      where the results go, after each round (default bench/results/latest.json)
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
const driver = findDriver();

if (options.help) {
  process.stdout.write(HELP);
} else {
  const rounds = positive('rounds', options.rounds);
  const cases = chosenCases(options.only);
  if (driver === undefined)
    process.stderr.write('There is no SQLite here, so it is left out: see docs/performance.md.\n');
  const scale = positive('scale', options.scale);
  const command = ['npm run bench', ...(args.length === 0 ? [] : ['--', ...args])].join(' ');
  const file = resolve(options.json);
  let table = '';
  runRounds({
    cases,
    rounds,
    jobsOf: (benchCase) => Math.max(1, Math.round(benchCase.jobs * scale)),
    run: (benchCase, jobs, round) => {
      process.stderr.write(`round ${round} of ${rounds}: ${benchCase.title}\n`);
      return runRound(benchCase, jobs, round);
    },
    ended: (round, caseResults) => {
      const results = describeRun(command, round, rounds, driver?.name, caseResults);
      writeResults(file, results);
      table = resultTable(results);
    },
  });
  process.stdout.write(`\n${table}\n\nJSON: ${file}\n`);
}

function chosenCases(only: string | undefined): readonly BenchCase[] {
  if (only === undefined) return CASES;
  return only.split(',').map((name) => {
    const found = CASES.find((benchCase) => benchCase.name === name.trim());
    if (found === undefined) throw new RangeError(`No case is called ${name}. See --help.`);
    return found;
  });
}

/** Peers take turns within a case. */
function runRound(benchCase: BenchCase, jobs: number, round: number): Round {
  const environment = benchCase.syncDelayMs === undefined ? process.env : slowSyncEnvironment(benchCase.syncDelayMs);
  if (environment === undefined) {
    process.stderr.write('  left out: there is no C compiler to make the disk slower with\n');
    return {};
  }
  const peers = benchCase.peers.filter((peer) => peer !== 'sqlite' || driver !== undefined);
  // Another one begins each time: the first run after a pause is not like the others.
  const turns = peers.map((_, index) => peers[(index + round) % peers.length]!);
  return Object.fromEntries(turns.map((peer) => [peer, runOnce(benchCase, peer, jobs, environment)]));
}

function runOnce(benchCase: BenchCase, peer: PeerName, jobs: number, env: NodeJS.ProcessEnv): Metrics {
  const script = fileURLToPath(new URL('./run-case.js', import.meta.url));
  const output = execFileSync(
    process.execPath,
    ['--enable-source-maps', script, benchCase.name, peer, String(jobs), options.directory],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env },
  );
  return JSON.parse(output) as Metrics;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`--${name} is ${text}, but must be a number above 0.`);
  return value;
}
