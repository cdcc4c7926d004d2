import type { Spread } from '../results.js';
import { markdownTable } from '../table.js';
import type { ComparisonResults, EntrantResult, WorkloadResult } from './comparison-results.js';
import { FIGURES, type FigureName } from './figures.js';
import { joinNodes, major } from './join-nodes.js';

const NOTHING = '–';

/** Runs on several Nodes as one text of Markdown: who took part, then a table a workload with the Nodes side by side. */
export function comparisonTables(runs: readonly ComparisonResults[]): string {
  const all = joinNodes(runs);
  const titles = new Map(all.flatMap(({ workloads }) => workloads.map(({ name, title }) => [name, title])));
  if (all.length === 0) throw new RangeError('There are no results.');
  return [
    ...runs.map(describeOne),
    '',
    ...participants(all),
    ...notes(all),
    ...[...titles].flatMap(([name, title]) => ['', `**${capital(title)}**`, '', ...workloadTable(name, all)]),
  ].join('\n');
}

/** A table for a terminal, while the rounds go on. */
export function summaryLines(results: ComparisonResults): string {
  return comparisonTables([results]);
}

/** What was run, when and on what. */
export function describeOne({ command, at, commit, machine, node, rounds, scale }: ComparisonResults): string {
  const short =
    scale < 1 || rounds < 3 ? ' **A short run, to try the script and show the form: not to be judged by.**' : '';
  const { cores, cpu, memoryGiB, kernel } = machine;
  return (
    `- \`${command}\`: Node ${node}, ${at.slice(0, 10)}, commit ${commit}, ${cores} × ${cpu}, ${memoryGiB} GiB, ` +
    `kernel ${kernel}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}.${short}`
  );
}

function participants(all: readonly ComparisonResults[]): string[] {
  const head = ['peer', ...all.map(({ node }) => `on Node ${major(node)}`), 'after a power cut the disk has'];
  const rows = all[0]!.entrants.map(({ name, title, afterPowerCut }) => [
    title,
    ...all.map(({ entrants }) => entrants.find((entrant) => entrant.name === name)?.version ?? NOTHING),
    afterPowerCut,
  ]);
  return markdownTable(head, rows);
}

function notes(all: readonly ComparisonResults[]): string[] {
  const missing = all.flatMap((results) =>
    results.missing.map(({ title, reason }) => `- Not measured on Node ${major(results.node)}: ${title}. ${reason}`),
  );
  const problems = all.flatMap((results) =>
    results.problems.map(
      ({ entrant, workload, round, message }) =>
        `- No figure on Node ${major(results.node)}: ${entrant}, ${workload}, round ${round}. ${message}`,
    ),
  );
  const lines = [...missing, ...problems];
  return lines.length === 0 ? [] : ['', ...lines];
}

function workloadTable(name: string, all: readonly ComparisonResults[]): string[] {
  const found = all.flatMap((results) => {
    const workload = results.workloads.find((candidate) => candidate.name === name);
    return workload === undefined ? [] : [{ node: major(results.node), workload }];
  });
  const compared = found[0]?.workload.compared ?? [];
  const isOnPostgres = found.some(({ workload }) => Object.values(workload.entrants).some(hasPostgresTimes));
  const head = ['peer', ...found.flatMap(({ node }) => headOf(node, compared, isOnPostgres)), 'also'];
  const titles = new Map(all.flatMap(({ entrants }) => entrants.map((entrant) => [entrant.name, entrant.title])));
  const rows = [...titles].flatMap(([entrant, title]) => {
    const results = found.map(({ workload }) => workload.entrants[entrant]);
    if (results.every((result) => result === undefined)) return [];
    const cells = results.flatMap((result) => cellsOf(result, compared, isOnPostgres));
    return [[title, ...cells, alsoOf(found[0]!.workload, entrant)]];
  });
  return markdownTable(head, rows);
}

function headOf(node: string, compared: readonly FigureName[], isOnPostgres: boolean): string[] {
  return compared.flatMap((figure) => [
    `${FIGURES[figure].title}, Node ${node}`,
    'log store',
    ...(isOnPostgres ? ['PostgreSQL store'] : []),
  ]);
}

function cellsOf(result: EntrantResult | undefined, compared: readonly FigureName[], isOnPostgres: boolean): string[] {
  return compared.flatMap((figure) => [
    spreadText(result?.figures[figure], FIGURES[figure].format),
    timesText(result?.timesLog[figure]),
    ...(isOnPostgres ? [timesText(result?.timesPostgres?.[figure])] : []),
  ]);
}

/** What was measured beside what is compared, on the first Node. */
function alsoOf({ entrants, compared }: WorkloadResult, entrant: string): string {
  const figures = entrants[entrant]?.figures ?? {};
  const others = (Object.keys(figures) as FigureName[]).filter((name) => !compared.includes(name));
  if (others.length === 0) return NOTHING;
  return others.map((name) => `${FIGURES[name].format(figures[name]!.median)} ${FIGURES[name].title}`).join(' · ');
}

function hasPostgresTimes({ timesPostgres }: EntrantResult): boolean {
  return timesPostgres !== undefined && Object.keys(timesPostgres).length > 0;
}

function spreadText(spread: Spread | undefined, format: (value: number) => string): string {
  if (spread === undefined) return NOTHING;
  return `${format(spread.median)} (${format(spread.least)} – ${format(spread.most)})`;
}

function timesText(spread: Spread | undefined): string {
  if (spread === undefined) return NOTHING;
  return `× ${times(spread.median)} (${times(spread.least)} – ${times(spread.most)})`;
}

function times(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value >= 10 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : String(Number(value.toPrecision(2)));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
