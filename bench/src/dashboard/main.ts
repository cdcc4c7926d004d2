import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Child } from '../child.js';
import { type RunFacts, runFacts, type Spread, spreadOf } from '../results.js';
import { writeResults } from '../rounds.js';
import { bootstrapInterval, bootstrapRatio, type Interval, percentile } from '../statistics.js';
import { markdownTable, runLine } from '../table.js';
import { ApiClient } from './api-client.js';
import { costBlock, lostPercent, meanOf, OFFERED_PER_SECOND, takenPercent, warmUp } from './cost-figures.js';
import {
  type App,
  bigJobFigures,
  type Dashboards,
  deepPage,
  idleCostPercent,
  type ListFigures,
  type ListQuestion,
  listFigures,
  overviewFigures,
} from './dashboard-figures.js';
import type { FilledStore } from './fill-store.js';
import { firstLoadBytes } from './first-load.js';
import type { Answer } from './measured-app.js';
import type { OfferedFigures } from './offered-load.js';

const IDLE_MS = 4000;
const PERCENTILES = [
  { name: 'p50', part: 0.5 },
  { name: 'p99', part: 0.99, atMostMs: 80 },
];

const HELP = `Measures what the dashboard's API answers beside very many jobs, and what dashboards cost who enqueues.

  --jobs <n>         jobs in the store (default 1,000,000: about 300 MB of disk and 400 MB of memory)
  --rounds <n>       rounds of the lists, the overview and the big job (default 5)
  --blocks <n>       of four windows without, with, with and without ten dashboards, 35 seconds each (default 8)
  --only <part>      lists, overview, job or cost alone
  --directory <dir>  where the store is made (default: the system's folder for temporary files)
  --json <file>      where the results go (default bench/results/dashboard.json)
  --help             this text
`;

/** One line of the table. */
export interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly atMost?: number;
  readonly found: Spread;
  /** Where it would be with very many rounds. */
  readonly likely?: Interval;
}

export interface DashboardResults extends RunFacts {
  readonly jobs: number;
  readonly figures: readonly Figure[];
}

// pnpm hands the `--` of `npm run bench:dashboard -- …` on.
const args = process.argv.slice(2).filter((argument) => argument !== '--');
const { values: options } = parseArgs({
  args,
  options: {
    jobs: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    blocks: { type: 'string', default: '8' },
    only: { type: 'string' },
    directory: { type: 'string', default: tmpdir() },
    json: { type: 'string', default: fileURLToPath(new URL('../../results/dashboard.json', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(HELP);
else await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(options.directory, 'holdfast-dashboard-'));
  const jobs = Number(options.jobs);
  try {
    say(`enqueues ${jobs.toLocaleString('en-US')} jobs`);
    const { bigJobId } = JSON.parse(script('fill-store', directory, options.jobs)) as FilledStore;
    const figures = [...(await measure(directory, jobs, bigJobId)), ...firstLoad()];
    const command = ['npm run bench:dashboard', ...(args.length === 0 ? [] : ['--', ...args])].join(' ');
    const results: DashboardResults = { ...runFacts(command), jobs, figures };
    writeResults(resolve(options.json), results);
    process.stdout.write(`${resultTable(results)}\n\nJSON: ${resolve(options.json)}\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(directory: string, jobs: number, bigJobId: string): Promise<Figure[]> {
  const app: App = new Child(new URL('./measured-app.js', import.meta.url), directory);
  try {
    const { port } = (await app.told()) as Extract<Answer, { port: number }>;
    const api = new ApiClient(port);
    const listed = isWanted('lists') ? await lists(api, jobs) : [];
    const figures = [
      ...(isWanted('overview') ? await overview(api) : []),
      ...(isWanted('job') ? await bigJob(app, api, bigJobId) : []),
    ];
    if (isWanted('cost')) {
      const dashboards: Dashboards = new Child(new URL('./open-dashboards.js', import.meta.url), String(port));
      try {
        figures.push(...(await cost(app, dashboards)));
      } finally {
        dashboards.end();
      }
    }
    api.close();
    await app.told({ kind: 'close' });
    // Last, because to say how sure they are takes seconds in which connections would fall asleep.
    return [...listed.flatMap(({ question, rounds }) => listRows(question, rounds)), ...figures];
  } finally {
    app.end();
  }
}

function isWanted(part: 'lists' | 'overview' | 'job' | 'cost'): boolean {
  return options.only === undefined || options.only === part;
}

interface Listed {
  readonly question: ListQuestion;
  readonly rounds: readonly ListFigures[];
}

async function lists(api: ApiClient, jobs: number): Promise<Listed[]> {
  say('walks to the deep pages');
  const questions = [
    await deepPage(api, 'GET jobs', '', jobs / 2),
    await deepPage(api, 'GET jobs?state=ready', '&state=ready', jobs / 2),
    await deepPage(api, 'GET jobs?state=dead', '&state=dead', jobs / 40),
    await deepPage(api, 'GET jobs?queue=…', '&queue=queue-007', jobs / 400),
  ];
  const found: Listed[] = [];
  for (const question of questions) {
    say(question.title);
    found.push({ question, rounds: await inRounds(options.rounds, () => listFigures(api, question)) });
  }
  return found;
}

function listRows({ title, pageNumber }: ListQuestion, rounds: readonly ListFigures[]): Figure[] {
  const deepTitle = `page ${pageNumber.toLocaleString('en-US')}`;
  return [
    ...PERCENTILES.flatMap(({ name, part, atMostMs }) => {
      const at = (values: readonly number[]) => percentile(values, part);
      const all = (side: 'first' | 'deep') => rounds.flatMap((round) => round[side]);
      return [
        figure(`${title}, page 1, ${name}`, 'ms', atMostMs, rounds, ({ first }) => at(first)),
        figure(`${title}, ${deepTitle}, ${name}`, 'ms', atMostMs, rounds, ({ deep }) => at(deep)),
        {
          ...figure(
            `the same, deep by first, ${name}`,
            'times',
            1.5,
            rounds,
            ({ first, deep }) => at(deep) / at(first),
          ),
          likely: bootstrapRatio(all('deep'), all('first'), at),
        },
      ];
    }),
    figure(`${title}, size of a page`, 'kB', 60, rounds, ({ bytes }) => bytes / 1000),
  ];
}

async function overview(api: ApiClient): Promise<Figure[]> {
  say('GET overview');
  const rounds = await inRounds(options.rounds, () => overviewFigures(api));
  return [
    figure('GET overview of 200 queues, p95', 'ms', 20, rounds, ({ sharedP95Ms }) => sharedP95Ms),
    figure('the same, each with a look of its own, p95', 'ms', 20, rounds, ({ ownP95Ms }) => ownP95Ms),
    figure('GET overview of 200 queues, size', 'kB', undefined, rounds, ({ bytes }) => bytes / 1000),
  ];
}

async function bigJob(app: App, api: ApiClient, id: string): Promise<Figure[]> {
  say('GET jobs/:id of a job with 1 MiB of JSON');
  const rounds = await inRounds(options.rounds, () => bigJobFigures(app, api, id));
  const title = 'a job with 1 MiB of JSON (the most that a store takes)';
  return [
    figure(`${title}, detail, p95`, 'ms', undefined, rounds, ({ detailP95Ms }) => detailP95Ms),
    figure('the same, size of the answer', 'kB', undefined, rounds, ({ detailBytes }) => detailBytes / 1000),
    figure('the same, whole payload as a file, p95', 'ms', undefined, rounds, ({ fileP95Ms }) => fileP95Ms),
    figure('the same, event loop blocked at most', 'ms', undefined, rounds, ({ loopBlockedMs }) => loopBlockedMs),
  ];
}

async function cost(app: App, dashboards: Dashboards): Promise<Figure[]> {
  say('warms up');
  await warmUp(app, dashboards);
  say('ten dashboards of an idle application');
  const idle = await inRounds(options.rounds, () => idleCostPercent(app, dashboards, IDLE_MS));
  say('enqueues with and without ten dashboards');
  const blocks = await inRounds(options.blocks, (number) => costBlock(app, dashboards, number));
  const both = (title: string, unit: string, of: (offered: OfferedFigures) => number) => [
    figure(`${title}, alone`, unit, undefined, blocks, ({ alone }) => meanOf(alone, ({ offered }) => of(offered))),
    figure(`${title}, beside ten`, unit, undefined, blocks, ({ beside }) =>
      meanOf(beside, ({ offered }) => of(offered)),
    ),
  ];
  const load = `${OFFERED_PER_SECOND.toLocaleString('en-US')} enqueues a second`;
  return [
    figure('ten dashboards, one processor of an idle application', '%', undefined, idle, (percent) => percent),
    ...both(`${load}: processor time of a job`, 'µs', ({ processorUs, jobs }) => processorUs / jobs),
    paired('ten dashboards beside them, of one processor', 2, blocks, (block) => takenPercent(block, 'processorUs')),
    ...both("the application's thread, busy", '%', ({ threadUs = Number.NaN, tookMs }) => threadUs / tookMs / 10),
    paired('ten dashboards, of that thread', 2, blocks, (block) => takenPercent(block, 'threadUs')),
    ...both('answered after, p50', 'ms', ({ p50Ms }) => p50Ms),
    ...both('answered after, p99', 'ms', ({ p99Ms }) => p99Ms),
    figure('64 callers without a pause, alone', 'jobs/s', undefined, blocks, ({ alone }) => {
      return meanOf(alone, ({ jobsPerSecond }) => jobsPerSecond);
    }),
    paired('fewer of them beside ten dashboards', 2, blocks, lostPercent),
    figure("the dashboards' own process, on the same processors", '%', undefined, blocks, (block) => {
      return block.clientsMsPerSecond / 10;
    }),
  ];
}

/** What was found in pairs, with what the median of many more of them may be. */
function paired<Found>(title: string, atMost: number, rounds: readonly Found[], of: (found: Found) => number): Figure {
  return { ...figure(title, '%', atMost, rounds, of), likely: bootstrapInterval(rounds.map(of)) };
}

function firstLoad(): Figure[] {
  const { script: scriptBytes, style } = firstLoadBytes();
  return [
    { title: 'scripts of the first load, gzipped', unit: 'kB', atMost: 170, found: spreadOf([scriptBytes / 1000]) },
    { title: 'style sheets of the first load, gzipped', unit: 'kB', atMost: 15, found: spreadOf([style / 1000]) },
  ];
}

function figure<Found>(
  title: string,
  unit: string,
  atMost: number | undefined,
  rounds: readonly Found[],
  of: (found: Found) => number,
): Figure {
  return { title, unit, ...(atMost === undefined ? {} : { atMost }), found: spreadOf(rounds.map(of)) };
}

async function inRounds<Found>(count: string, run: (round: number) => Promise<Found>): Promise<Found[]> {
  const found: Found[] = [];
  for (let round = 0; round < Number(count); round++) found.push(await run(round));
  return found;
}

function resultTable(results: DashboardResults): string {
  const rows = results.figures.map(({ title, unit, atMost, found, likely }) => [
    title,
    atMost === undefined ? '–' : `≤ ${atMost} ${unit}`,
    `${written(found.median)} ${unit} (${written(found.least)} – ${written(found.most)})`,
    likely === undefined ? '–' : `${written(likely.low)} – ${written(likely.high)} ${unit}`,
    atMost === undefined ? '–' : found.median <= atMost ? 'yes' : 'no',
  ]);
  const line = `${runLine(results)} · ${results.jobs.toLocaleString('en-US')} jobs`;
  const heads = ['figure', 'goal', 'median (least – most of the rounds)', '95 of 100', 'reached'];
  return [line, '', ...markdownTable(heads, rows)].join('\n');
}

function written(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}

function script(name: string, ...given: string[]): string {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  return execFileSync(process.execPath, ['--enable-source-maps', file, ...given], { encoding: 'utf8', stdio });
}

function say(what: string): void {
  process.stderr.write(`${what}\n`);
}
