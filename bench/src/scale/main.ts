import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { FillFigures, OpenFigures } from './store-figures.js';
import type { TableFigures } from './table-figures.js';

const HELP = `Measures what very many live jobs cost, beside ten thousand of them.

  --jobs <n>         live jobs (default 10,000,000: about 2 GB of disk and 1.5 GB of memory)
  --schedules        only: the wheel of scheduled jobs beside the heap that it took the place of
  --directory <dir>  where the stores are made (default: the system's folder for temporary files)
  --help             this text
`;

const FEW = 10_000;
const MIB = 2 ** 20;

// pnpm hands the `--` of `npm run bench:scale -- …` on.
const args = process.argv.slice(2).filter((argument) => argument !== '--');
const { values: options } = parseArgs({
  args,
  options: {
    jobs: { type: 'string', default: '10000000' },
    schedules: { type: 'boolean', default: false },
    directory: { type: 'string', default: tmpdir() },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(HELP);
else if (options.schedules) process.stdout.write(output('schedule-figures', options.jobs));
else measure(Number(options.jobs), mkdtempSync(join(options.directory, 'holdfast-scale-')));

function measure(many: number, directory: string): void {
  const [few, lots] = [join(directory, 'few'), join(directory, 'many')];
  try {
    const [fewTable, table, expiring] = [[FEW], [many], [many, 'expiring']].map((given) =>
      run<TableFigures>('table-figures', ...given.map(String)),
    ) as [TableFigures, TableFigures, TableFigures];
    run<FillFigures>('store-figures', 'fill', few, String(FEW));
    const filled = run<FillFigures>('store-figures', 'fill', lots, String(many));
    const opened = run<OpenFigures>('store-figures', 'open', lots, few);
    print(many, [fewTable, table, expiring], filled, opened);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function print(
  many: number,
  [fewTable, table, expiring]: readonly [TableFigures, TableFigures, TableFigures],
  filled: FillFigures,
  opened: OpenFigures,
): void {
  const count = many.toLocaleString('en-US');
  const lines: [string, string][] = [
    ['memory of the index, a job', `${table.bytesPerJob.toFixed(1)} bytes`],
    ['the same, each job with an expiry', `${expiring.bytesPerJob.toFixed(1)} bytes`],
    [`resident after ${count} enqueues of 100 bytes`, mib(filled.residentBytes)],
    ['log on disk', mib(filled.logBytes)],
    ['open', `${(opened.openMs / 1000).toFixed(1)} s, ${(filled.logBytes / 1000 / opened.openMs).toFixed(0)} MB/s`],
    ['resident at most while it opens', mib(opened.peakBytes)],
    ['resident after it', mib(opened.residentBytes)],
    ['claim + ack, a job', pair(opened.fewMicros, opened.manyMicros)],
    ['insert of a scheduled job', pair(fewTable.scheduleMicros, table.scheduleMicros)],
    ['a scheduled job becomes ready', pair(fewTable.fireMicros, table.fireMicros)],
  ];
  process.stdout.write(`| figure | ${count} jobs, where two: beside ${FEW.toLocaleString('en-US')} |\n| --- | --- |\n`);
  for (const [name, value] of lines) process.stdout.write(`| ${name} | ${value} |\n`);
}

function run<Figures>(script: string, ...given: string[]): Figures {
  return JSON.parse(output(script, ...given)) as Figures;
}

function output(script: string, ...given: string[]): string {
  process.stderr.write(`${script} ${given.join(' ')}\n`);
  const file = fileURLToPath(new URL(`./${script}.js`, import.meta.url));
  return execFileSync(process.execPath, ['--expose-gc', '--enable-source-maps', file, ...given], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(0)} MiB`;
}

function pair(few: number, many: number): string {
  return `${many.toFixed(2)} µs, beside ${few.toFixed(2)} µs: ${(many / few).toFixed(2)} times`;
}
