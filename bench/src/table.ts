import { METRICS, type MetricName } from './metrics.js';
import { PEERS, type PeerName } from './peer.js';
import type { BenchResults, CaseResult, GoalResult, PeerResult, RunFacts } from './results.js';

const PEER_TITLES: Record<PeerName, string> = { holdfast: 'Holdfast', bare: 'bare limit', sqlite: 'SQLite' };

/** The results as Markdown that also reads well on a terminal: what was measured, then which goals that reaches. */
export function resultTable(results: BenchResults): string {
  const measured = results.cases.flatMap(measuredRows);
  const goals = results.cases.flatMap((result) => result.goals.map(goalRow));
  return [
    `${runLine(results)} · SQLite: ${results.sqlite ?? 'none'} · medians of ${results.rounds} rounds`,
    '',
    ...markdownTable(['case', 'of', 'median (least – most of the rounds)'], measured),
    '',
    ...markdownTable(['goal', 'wanted', 'found', 'reached'], goals),
  ].join('\n');
}

/** What was run, and on what, in one line. */
export function runLine({ command, commit, at, node, machine }: RunFacts): string {
  const on = `${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, kernel ${machine.kernel}`;
  return `${command} · commit ${commit} · ${at.slice(0, 10)} · Node ${node} · ${on}`;
}

function measuredRows(result: CaseResult): string[][] {
  return PEERS.flatMap((peer) => {
    const figures = result.peers[peer];
    return figures === undefined ? [] : [[result.title, PEER_TITLES[peer], describe(figures)]];
  });
}

function describe(figures: PeerResult): string {
  const names = Object.keys(figures) as MetricName[];
  return names
    .map((name) => {
      const { title, format } = METRICS[name];
      const { median, least, most } = figures[name]!;
      return `${format(median)} ${title} (${format(least)} – ${format(most)})`;
    })
    .join(' · ');
}

function goalRow({ title, atLeast, atMost, figure, reached }: GoalResult): string[] {
  const wanted = atLeast === undefined ? `≤ ${round(atMost)}` : `≥ ${round(atLeast)}`;
  if (figure === undefined) return [title, wanted, 'not measured', '–'];
  return [
    title,
    wanted,
    `${round(figure.median)} (${round(figure.least)} – ${round(figure.most)})`,
    reached ? 'yes' : 'no',
  ];
}

function round(value: number | undefined): string {
  return value === undefined ? '' : String(Number(value.toFixed(2)));
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)];
}
