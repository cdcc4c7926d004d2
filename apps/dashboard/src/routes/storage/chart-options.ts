import type uPlot from 'uplot';
import { formatMinute } from '../../format/time.js';
import type { ChartColours } from './chart-colours.js';
import type { Series } from './series.js';

const HEIGHT = 220;

interface ChartSetup {
  readonly width: number;
  readonly colours: ChartColours;
  readonly series: readonly Series[];
  readonly scale: 'linear' | 'log';
  readonly format: (value: number) => string;
  readonly onCursor: (index: number | null) => void;
}

export function chartOptions(setup: ChartSetup): uPlot.Options {
  const { colours } = setup;
  return {
    width: setup.width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    hooks: { setCursor: [(plot) => setup.onCursor(plot.cursor.idx ?? null)] },
    scales: { x: { time: true }, y: valueScale(setup.scale) },
    axes: [timeAxis(colours), valueAxis(colours, setup)],
    series: [
      {},
      ...setup.series.map((line) => ({
        label: line.label,
        stroke: colours[line.tone],
        width: line.tone === 'muted' ? 1 : 1.5,
        points: { show: true, size: 3, filter: (plot: uPlot, index: number) => lonelyPoints(plot.data[index] ?? []) },
      })),
    ],
  };
}

/** Places of values without a neighbour: no line reaches them, so they need a dot. */
function lonelyPoints(values: ArrayLike<number | null | undefined>): number[] {
  const isEmpty = (index: number) => (values[index] ?? null) === null;
  return Array.from(values, (_, index) => index).filter(
    (index) => !isEmpty(index) && isEmpty(index - 1) && isEmpty(index + 1),
  );
}

/** Latencies differ by powers of ten, counts do not. A log scale cannot start at zero. */
function valueScale(scale: 'linear' | 'log'): uPlot.Scale {
  if (scale === 'log') return { distr: 3, log: 10 };
  return { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] };
}

function timeAxis(colours: ChartColours): uPlot.Axis {
  return {
    ...axisLook(colours),
    size: 30,
    grid: { show: false },
    space: 56,
    values: (_plot, splits) => splits.map((seconds) => formatMinute(seconds * 1_000)),
  };
}

function valueAxis(colours: ChartColours, { scale, format }: ChartSetup): uPlot.Axis {
  const look = axisLook(colours);
  return {
    ...look,
    size: 62,
    space: 36,
    ...(scale === 'log' ? onlyPowersOfTen(look) : {}),
    values: (_plot, splits) => splits.map((value) => (value === null ? '' : format(value))),
  };
}

/** A log scale has a split at each digit; lines and labels at all of them would be a hatching. */
function onlyPowersOfTen({ grid, ticks }: uPlot.Axis): uPlot.Axis {
  const filter: uPlot.Axis.Filter = (_plot, splits) => splits.map((value) => (isPowerOfTen(value) ? value : null));
  return { filter, grid: { ...grid, filter }, ticks: { ...ticks, filter } };
}

function axisLook(colours: ChartColours): uPlot.Axis {
  const line = { stroke: colours.grid, width: 1 };
  return { stroke: colours.text, font: colours.font, grid: line, ticks: { ...line, size: 4 }, gap: 6 };
}

function isPowerOfTen(value: number): boolean {
  return Number.isInteger(Number(Math.log10(value).toFixed(6)));
}
