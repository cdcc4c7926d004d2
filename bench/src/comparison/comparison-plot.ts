import type { Spread } from '../results.js';
import type { ComparisonResults, WorkloadResult } from './comparison-results.js';
import { FIGURES, type FigureName } from './figures.js';
import { major } from './join-nodes.js';

const WIDTH = 1000;
const COLUMNS = 2;
const PANEL_WIDTH = WIDTH / COLUMNS;
const NAMES_WIDTH = 190;
const MARGIN = 24;
const ROW_HEIGHT = 20;
const HEAD_HEIGHT = 70;
const TITLE_HEIGHT = 52;
const AXIS_HEIGHT = 30;

/** Follows what the reader has chosen, dark or light, also where it is shown as an image. */
const STYLE = `
  svg { --back: #ffffff; --text: #1f2328; --faint: #59636e; --line: #d1d9e0; --own: #0a7d4b; --other: #8250df }
  @media (prefers-color-scheme: dark) {
    svg { --back: #0d1117; --text: #f0f6fc; --faint: #9198a1; --line: #3d444d; --own: #3fb950; --other: #bc8cff }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--text) }
  .title { font-size: 17px; font-weight: 600 } .panel { font-weight: 600 } .faint { fill: var(--faint) }
  .back { fill: var(--back) } .grid { stroke: var(--line) }
  .own { color: var(--own) } .other { color: var(--other) }
  .range { stroke: currentColor; stroke-width: 2 } .dot { fill: currentColor; stroke: currentColor; stroke-width: 2 }
  .later { fill: var(--back) }
`;

/** One mark: the median of an entrant on one Node, with the least and the most of its rounds. */
interface Mark {
  readonly spread: Spread;
  readonly isFirstNode: boolean;
}

interface Row {
  readonly title: string;
  readonly isOwn: boolean;
  readonly marks: readonly Mark[];
}

interface Panel {
  readonly title: string;
  readonly figure: FigureName;
  readonly rows: readonly Row[];
}

/** All workloads, each with a logarithmic scale of its own; full dots are the first Node, rings the second. */
export function comparisonPlot(all: readonly ComparisonResults[]): string {
  const panels = panelsOf(all);
  const heights = panels.map(({ rows }) => TITLE_HEIGHT + rows.length * ROW_HEIGHT + AXIS_HEIGHT);
  const rowTops = [HEAD_HEIGHT];
  for (let index = 0; index < panels.length; index += COLUMNS) {
    rowTops.push(rowTops.at(-1)! + Math.max(...heights.slice(index, index + COLUMNS)));
  }
  const drawn = panels.map((panel, index) =>
    panelText(panel, (index % COLUMNS) * PANEL_WIDTH, rowTops[Math.floor(index / COLUMNS)]!),
  );
  const height = rowTops.at(-1)! + MARGIN;
  const nodes = all.map(({ node }, index) => `${index === 0 ? 'dots' : 'rings'}: Node ${major(node)}`).join(', ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">`,
    '<title id="title">Holdfast beside other queues: medians with the least and the most of the rounds, on logarithmic scales</title>',
    `<style>${STYLE}</style>`,
    `<rect class="back" width="${WIDTH}" height="${height}"/>`,
    textAt(MARGIN, 32, 'title', 'Holdfast beside other queues'),
    textAt(
      MARGIN,
      54,
      'faint',
      `Medians, lines from the least to the most of the rounds; logarithmic scales; ${nodes}`,
    ),
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function panelsOf(all: readonly ComparisonResults[]): Panel[] {
  const [first] = all;
  if (first === undefined) throw new RangeError('There are no results.');
  return first.workloads.flatMap((workload) => {
    const figure = workload.compared.at(-1);
    if (figure === undefined) return [];
    const rows = first.entrants.map(({ name, title }) => ({
      title,
      isOwn: name.startsWith('holdfast'),
      marks: all.flatMap((results, index) => {
        const spread = sameWorkload(results, workload)?.entrants[name]?.figures[figure];
        return spread === undefined || spread.median <= 0 ? [] : [{ spread, isFirstNode: index === 0 }];
      }),
    }));
    const withMarks = rows.filter(({ marks }) => marks.length > 0);
    return withMarks.length === 0 ? [] : [{ title: workload.title, figure, rows: withMarks }];
  });
}

function sameWorkload(results: ComparisonResults, { name }: WorkloadResult): WorkloadResult | undefined {
  return results.workloads.find((candidate) => candidate.name === name);
}

function panelText({ title, figure, rows }: Panel, left: number, top: number): string {
  const scale = logarithmic(rows, left + NAMES_WIDTH, left + PANEL_WIDTH - MARGIN);
  const rowsTop = top + TITLE_HEIGHT;
  const bottom = rowsTop + rows.length * ROW_HEIGHT;
  const { title: unit, better } = FIGURES[figure];
  return [
    textAt(left + MARGIN, top + 20, 'panel', title),
    textAt(left + MARGIN, top + 38, 'faint', `${unit}, ${better} is better`),
    ...scale.decades.flatMap((value) => [
      `<line class="grid" x1="${scale.at(value)}" x2="${scale.at(value)}" y1="${rowsTop}" y2="${bottom}"/>`,
      textAt(scale.at(value), bottom + 16, 'faint', decadeText(value), 'middle'),
    ]),
    ...rows.map((row, index) => rowText(row, left + NAMES_WIDTH - 8, rowsTop + (index + 0.5) * ROW_HEIGHT, scale.at)),
  ].join('\n');
}

function rowText({ title, isOwn, marks }: Row, namesRight: number, y: number, at: (value: number) => number): string {
  const shift = marks.length > 1 ? 4 : 0;
  const drawn = marks.flatMap(({ spread, isFirstNode }) => {
    const markY = y + (isFirstNode ? -shift : shift);
    // The least may be nothing at all, which no logarithmic scale has.
    const least = at(Math.max(spread.least, spread.median / 10));
    return [
      `<line class="range" x1="${least}" x2="${at(spread.most)}" y1="${markY}" y2="${markY}"/>`,
      `<circle class="dot${isFirstNode ? '' : ' later'}" cx="${at(spread.median)}" cy="${markY}" r="3.5"/>`,
    ];
  });
  return [textAt(namesRight, y + 4, '', title, 'end'), `<g class="${isOwn ? 'own' : 'other'}">`, ...drawn, '</g>'].join(
    '\n',
  );
}

/** From the decade below the least to the one above the most. */
function logarithmic(rows: readonly Row[], left: number, right: number) {
  const values = rows.flatMap(({ marks }) =>
    marks.flatMap(({ spread }) => [Math.max(spread.least, spread.median / 10), spread.most]),
  );
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value: number) => round(left + ((Math.log10(value) - from) / (to - from)) * (right - left));
  return { at, decades: Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index)) };
}

function decadeText(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000}M`;
  if (value >= 1000) return `${value / 1000}k`;
  return String(Number(value.toPrecision(1)));
}

function textAt(x: number, y: number, className: string, text: string, anchor = 'start'): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const css = className === '' ? '' : ` class="${className}"`;
  return `<text${css} x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
