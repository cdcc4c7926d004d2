import process from 'node:process';
import { parseArgs } from 'node:util';
import { runFacts } from '../results.js';
import { median } from '../statistics.js';
import { markdownTable, runLine } from '../table.js';
import { fill, type LookedStore, onMysql, onPostgres } from './looked-store.js';
import { COMMON_NAME, FEW, LOOKS, MANY, RARE_NAME } from './looks.js';

const HELP = `Measures what operators and workers ask stores on databases for, beside very many ready jobs: milliseconds, the median of some
rounds. Each twice: with the statistics of the server as they were when the store was empty, and with new ones. In schemas of their own.

  --jobs <n>        ready jobs, one in a thousand of them in a queue of its own (default 1000000)
  --names <n>       queues of a store beside it, for the list of all queues (default 100000)
  --rounds <n>      of each read (default 9)
  --postgres <url>  default: HOLDFAST_TEST_POSTGRES_URL, else postgres://postgres@127.0.0.1:5432/test; none: left out
  --mysql <url>     default: HOLDFAST_TEST_MYSQL_URL, else mysql://root@127.0.0.1:3306/; none: left out
  --help            this text
`;

// pnpm hands the `--` of `npm run bench:looks -- …` on.
const given = process.argv.slice(2).filter((argument) => argument !== '--');
const { values: options } = parseArgs({
  args: given,
  options: {
    jobs: { type: 'string', default: '1000000' },
    names: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '9' },
    postgres: {
      type: 'string',
      default: process.env.HOLDFAST_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test',
    },
    mysql: { type: 'string', default: process.env.HOLDFAST_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/' },
    help: { type: 'boolean', default: false },
  },
});

const [jobs, names, rounds] = [Number(options.jobs), Number(options.names), Number(options.rounds)];
const SMALL_PART = 1000;
const ALL_QUEUES = 'the list of all queues, of many';

if (options.help) process.stdout.write(HELP);
else await measure();

/** One column of the table. */
interface Column {
  readonly head: string;
  readonly figures: Readonly<Record<string, number>>;
}

async function measure(): Promise<void> {
  const columns: Column[] = [];
  const schema = `hf_looks_${process.pid}`;
  if (options.postgres !== 'none') columns.push(...(await measureOn(() => onPostgres(options.postgres, schema))));
  if (options.mysql !== 'none') columns.push(...(await measureOn(() => onMysql(options.mysql, schema))));
  console.log(runLine(runFacts(['npm run bench:looks', ...(given.length === 0 ? [] : ['--', ...given])].join(' '))));
  console.log('');
  const rows = [...Object.keys(LOOKS), ALL_QUEUES].map((look) => [
    look,
    ...columns.map(({ figures }) => (figures[look] ?? Number.NaN).toFixed(1)),
  ]);
  for (const line of markdownTable(['milliseconds', ...columns.map(({ head }) => head)], rows)) console.log(line);
}

async function measureOn(open: () => Promise<LookedStore>): Promise<Column[]> {
  const [besideJobs, listing] = [await withStore(open, besideManyJobs), await withStore(open, ofManyQueues)];
  return besideJobs.map(({ head, figures }, at) => ({ head, figures: { ...figures, [ALL_QUEUES]: listing[at]! } }));
}

async function besideManyJobs(looked: LookedStore): Promise<Column[]> {
  const { store, database, analyze } = looked;
  await fill(store, 1, () => ({ queue: MANY, name: COMMON_NAME }));
  await analyze();
  const middle = await fill(store, jobs - 1, (index) => ({
    queue: index % SMALL_PART === 1 ? FEW : MANY,
    name: COMMON_NAME,
  }));
  await fill(store, 1, () => ({ queue: MANY, name: RARE_NAME }));
  const version = await database.version();
  const deep = middle?.id ?? '';
  const before = { head: `${version}, old statistics`, figures: await figuresOf(looked, deep) };
  await analyze();
  return [before, { head: `${version}, new ones`, figures: await figuresOf(looked, deep) }];
}

async function figuresOf({ store }: LookedStore, deep: string): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const [name, look] of Object.entries(LOOKS)) figures[name] = await timed(() => look(store, deep));
  return figures;
}

/** With the statistics of before, and with new ones. */
async function ofManyQueues({ store, analyze }: LookedStore): Promise<number[]> {
  await fill(store, names, (index) => ({ queue: `queue-${index}`, name: COMMON_NAME }));
  const before = await timed(() => store.queues());
  await analyze();
  return [before, await timed(() => store.queues())];
}

/** After one that warms up. */
async function timed(look: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const startedAtMs = performance.now();
    await look();
    if (round > 0) took.push(performance.now() - startedAtMs);
  }
  return median(took);
}

async function withStore<Answer>(
  open: () => Promise<LookedStore>,
  work: (looked: LookedStore) => Promise<Answer>,
): Promise<Answer> {
  const looked = await open();
  try {
    return await work(looked);
  } finally {
    await looked.close();
  }
}
