import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runFacts } from '../results.js';
import { markdownTable, runLine } from '../table.js';
import type { Answer } from './idle-application.js';
import { MeasuredApplication } from './measured-application.js';
import { mariadb, postgres } from './measured-database.js';
import { STATEMENT_KINDS } from './statement-kinds.js';

const HELP = `Counts what stores on databases ask while nothing happens: statements a minute of all application processes, each with a worker
that has done a job and has nothing to do. All run at once, in schemas of their own.

  --processes <n,n>  so many processes of one application (default 1,4)
  --seconds <n>      they are counted for so long (default 60)
  --settle <n>       seconds before that: polls become rarer for some seconds after the last job (default 20)
  --postgres <url>   default: HOLDFAST_TEST_POSTGRES_URL, else postgres://postgres@127.0.0.1:5432/test; none: left out
  --mysql <url>      default: HOLDFAST_TEST_MYSQL_URL, else mysql://root@127.0.0.1:3306/; none: left out
  --help             this text
`;

// pnpm hands the `--` of `npm run bench:idle-queries -- …` on.
const given = process.argv.slice(2).filter((argument) => argument !== '--');
const { values: options } = parseArgs({
  args: given,
  options: {
    processes: { type: 'string', default: '1,4' },
    seconds: { type: 'string', default: '60' },
    settle: { type: 'string', default: '20' },
    postgres: {
      type: 'string',
      default: process.env.HOLDFAST_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test',
    },
    mysql: { type: 'string', default: process.env.HOLDFAST_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(HELP);
else await measure(Number(options.seconds), Number(options.settle));

async function measure(seconds: number, settle: number): Promise<void> {
  const databases = [
    ...(options.postgres === 'none' ? [] : [postgres(options.postgres)]),
    ...(options.mysql === 'none' ? [] : [mariadb(options.mysql)]),
  ];
  const applications = databases.flatMap((database) =>
    options.processes.split(',').map((processes) => new MeasuredApplication(database, Number(processes))),
  );
  try {
    await Promise.all(applications.map((application) => application.open()));
    await pause(settle * 1000);
    await Promise.all(applications.map((application) => application.count()));
    await pause(seconds * 1000);
    const counts = await Promise.all(applications.map((application) => application.count()));
    await print(applications, counts, 60 / seconds);
  } finally {
    await Promise.all(applications.map((application) => application.close()));
  }
}

async function print(
  applications: readonly MeasuredApplication[],
  counts: readonly Answer[],
  perMinute: number,
): Promise<void> {
  const head = await Promise.all(
    applications.map(
      async ({ database, processes }) =>
        `${await database.version()}, ${processes} ${processes === 1 ? 'process' : 'processes'}`,
    ),
  );
  const figure = (count = 0) => String(Math.round(count * perMinute));
  const rows = STATEMENT_KINDS.map((kind) => [kind, ...counts.map((statements) => figure(statements[kind]))]);
  const sums = counts.map((statements) =>
    figure(STATEMENT_KINDS.reduce((sum, kind) => sum + (statements[kind] ?? 0), 0)),
  );
  const shown = rows.filter(([, ...figures]) => figures.some((count) => count !== '0'));
  console.log(
    runLine(runFacts(['npm run bench:idle-queries', ...(given.length === 0 ? [] : ['--', ...given])].join(' '))),
  );
  console.log('');
  for (const line of markdownTable(['statements a minute', ...head], [...shown, ['all', ...sums]])) console.log(line);
}
