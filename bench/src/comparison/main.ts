import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeResults } from '../rounds.js';
import { compare } from './compare.js';
import { summaryLines } from './comparison-table.js';
import { ENTRANTS, REFERENCE } from './entrants.js';
import { major } from './join-nodes.js';
import { findPresent } from './presence.js';
import { publish } from './publish.js';
import { foreignPostgres, type PostgresServer, startPostgres } from './servers/postgres-server.js';
import { WORKLOADS } from './workloads.js';

const HELP = `Measures Holdfast beside the queues that people use, all on this machine, in turns.

  --rounds <n>       runs of each workload and peer (default 5)
  --only <workloads> some of: ${WORKLOADS.map(({ name }) => name).join(', ')}
  --peers <peers>    some of: ${ENTRANTS.map(({ name }) => name).join(', ')}
                     (${REFERENCE} always takes part)
  --scale <factor>   multiplies times and numbers of jobs (default 1: less than half an hour a round)
  --node <path>      the Node that the runs use (default: this one)
  --postgres <url>   a server to use instead of starting one; its CPU is then not counted
  --json <file>      where the results go, after each round (default bench/results/peers-node<major>.json). Workloads that are measured in a
                     run of their own are published with the others from bench/results/peers-node<major>-<name>.json
  --publish          puts the results of the last runs into docs/performance.md, docs/images/peers.svg and README.md, and measures nothing
  --help             this text

Redis, PostgreSQL and beanstalkd are started where they are installed, in temporary directories, and ended afterwards. A peer that cannot be
had is named in the results.
`;

// pnpm hands the `--` of `npm run bench:peers -- …` on.
const args = process.argv.slice(2).filter((argument) => argument !== '--');
const { values: options } = parseArgs({
  args,
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    peers: { type: 'string' },
    scale: { type: 'string', default: '1' },
    node: { type: 'string', default: process.execPath },
    postgres: { type: 'string' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const resultsDirectory = fileURLToPath(new URL('../../results', import.meta.url));

if (options.help) process.stdout.write(HELP);
else if (options.publish) {
  const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
  for (const file of publish(resultsDirectory, docs)) process.stdout.write(`${file}\n`);
} else await measure();

async function measure(): Promise<void> {
  // So that what runs on 'exit' ends the servers and the run under way.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  const rounds = positive('rounds', options.rounds);
  const scale = positive('scale', options.scale);
  const node = resolve(options.node);
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const file = resolve(options.json ?? join(resultsDirectory, `peers-node${major(version)}.json`));
  const workloads = chosen(WORKLOADS, options.only, 'workload');
  const entrants = ENTRANTS.filter((entrant) => isChosen(entrant.name));
  const { present, missing, sqlite } = findPresent(entrants, node, options.postgres);
  for (const { title, reason } of missing) process.stderr.write(`left out: ${title}. ${reason}\n`);
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-peers-server-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  let postgres: PostgresServer | undefined;
  if (present.some(({ server }) => server?.kind === 'postgres')) {
    postgres = options.postgres === undefined ? await startPostgres(directory) : foreignPostgres(options.postgres);
  }
  const shared = {
    node,
    scale,
    ...(sqlite === undefined ? {} : { sqlite }),
    ...(postgres === undefined ? {} : { postgres }),
  };
  try {
    const command = ['npm run bench:peers', ...(args.length === 0 ? [] : ['--', ...args])].join(' ');
    const results = await compare({
      workloads,
      entrants: present,
      missing,
      rounds,
      shared,
      head: { command, node: version, scale, roundsWanted: rounds },
      ended: (known) => writeResults(file, known),
    });
    process.stdout.write(`\n${summaryLines(results)}\n\nJSON: ${file}\n`);
  } finally {
    await postgres?.end();
  }
}

function isChosen(name: string): boolean {
  if (options.peers === undefined || name === REFERENCE) return true;
  return chosen(ENTRANTS, options.peers, 'peer').some((entrant) => entrant.name === name);
}

function chosen<One extends { readonly name: string }>(all: readonly One[], names: string | undefined, what: string) {
  if (names === undefined) return all;
  return names.split(',').map((name) => {
    const found = all.find((one) => one.name === name.trim());
    if (found === undefined) throw new RangeError(`No ${what} is called ${name}. See --help.`);
    return found;
  });
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`--${name} is ${text}, but must be a number above 0.`);
  return value;
}
