import { markdownTable } from '../table.js';
import type { ComparisonResults } from './comparison-results.js';
import { describeOne } from './comparison-table.js';
import { FIGURES, type FigureName } from './figures.js';

interface Column {
  readonly title: string;
  readonly workload: string;
  readonly figure: FigureName;
}

/** What somebody who chooses asks first. */
const COLUMNS: readonly Column[] = [
  { title: 'enqueue, one at a time: jobs/s', workload: 'enqueue', figure: 'jobsPerSecond' },
  { title: '1,000 in flight: jobs/s', workload: 'enqueue-in-flight', figure: 'jobsPerSecond' },
  { title: '1,000 a call: jobs/s', workload: 'enqueue-bulk', figure: 'jobsPerSecond' },
  { title: 'handled: jobs/s', workload: 'drain', figure: 'jobsPerSecond' },
  { title: 'enqueue → handler: p50 ms', workload: 'latency', figure: 'p50Ms' },
  { title: 'p99 ms', workload: 'latency', figure: 'p99Ms' },
];

/** Those of the README's table of features; a table of one's own is one in SQLite, written plainly and written for speed. */
const ROWS: readonly string[] = [
  'holdfast-log',
  'holdfast-postgres',
  'bullmq-everysec',
  'bullmq-always',
  'pg-boss',
  'graphile-worker',
  'sqlite-plain',
  'sqlite-grouped',
];

/** The part of the comparison that the README shows: of the oldest Node, with the best of each column marked, whoever it is. */
export function readmeTable([results]: readonly ComparisonResults[]): string {
  if (results === undefined) throw new RangeError('There are no results.');
  const entrants = ROWS.flatMap((name) => results.entrants.find((entrant) => entrant.name === name) ?? []);
  const columns = COLUMNS.map((column) =>
    cells(
      entrants.map(({ name }) => medianOf(results, column, name)),
      column.figure,
    ),
  );
  const rows = entrants.map(({ title, version, afterPowerCut }, row) => [
    version === undefined ? title : `${title} (${version.split(', ')[0]})`,
    ...columns.map((column) => column[row]!),
    afterPowerCut,
  ]);
  const head = ['', ...COLUMNS.map(({ title }) => title), 'after a power cut the disk has'];
  return [
    describeOne(results),
    '',
    ...markdownTable(head, rows),
    '',
    'Medians; the best of a column is bold. Every queue, workload and Node, with the spread of the rounds and how it is kept fair: [docs/performance.md](docs/performance.md#beside-the-queues-that-people-use).',
  ].join('\n');
}

function medianOf(results: ComparisonResults, { workload, figure }: Column, entrant: string): number | undefined {
  return results.workloads.find(({ name }) => name === workload)?.entrants[entrant]?.figures[figure]?.median;
}

function cells(values: readonly (number | undefined)[], figure: FigureName): string[] {
  const { better, format } = FIGURES[figure];
  const measured = values.filter((value) => value !== undefined);
  const best = better === 'more' ? Math.max(...measured) : Math.min(...measured);
  return values.map((value) => {
    if (value === undefined) return '–';
    return value === best ? `**${format(value)}**` : format(value);
  });
}
