import type { BenchResults, CaseResult } from './results.js';

const COLUMNS = [
  'case',
  'jobs/s',
  'slowest–fastest',
  'plain write + fsync/s',
  'of it',
  'jobs/fsync',
  'bytes/job',
  'p50',
  'p99',
];

const count = (value: number) => Math.round(value).toLocaleString('en-US');
const milliseconds = (value: number | undefined) => (value === undefined ? '–' : `${value.toFixed(3)} ms`);

function cells(result: CaseResult): string[] {
  return [
    result.title,
    count(result.jobsPerSecond),
    result.jobsPerSecondRange.map(count).join('–'),
    count(result.barePerSecond),
    `${(result.ratio * 100).toFixed(0)} %`,
    result.jobsPerSync < 10 ? result.jobsPerSync.toFixed(1) : count(result.jobsPerSync),
    count(result.bytesPerJob),
    milliseconds(result.p50Ms),
    milliseconds(result.p99Ms),
  ];
}

/** The results as a Markdown table that also reads well on a terminal. */
export function resultTable(results: BenchResults): string {
  const rows = [COLUMNS, ...results.cases.map(cells)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const { machine } = results;
  return [
    `${results.command} · commit ${results.commit} · ${results.at.slice(0, 10)} · Node ${results.node} · ` +
      `${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, kernel ${machine.kernel} · medians of ${results.rounds} rounds`,
    '',
    line(rows[0]!),
    rule,
    ...rows.slice(1).map(line),
  ].join('\n');
}
