import { type KeyboardEvent, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onThemeChange } from '../../settings/theme.js';
import { chartColours } from './chart-colours.js';
import { chartOptions } from './chart-options.js';
import type { TimeSeries } from './series.js';
import styles from './time-chart.module.css';

export interface TimeChartProps {
  readonly data: TimeSeries;
  readonly scale: 'linear' | 'log';
  readonly format: (value: number) => string;
  readonly label: string;
  /** Index of the point that is read, or null for none. */
  readonly cursor: number | null;
  readonly onCursor: (index: number | null) => void;
}

/** Lines over time on a canvas. New data is drawn into the same plot; another theme makes a new one. */
export default function TimeChart(props: TimeChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const lines = props.data.series.map((line) => line.label).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another set of lines needs another plot.
  useEffect(() => {
    const element = holder.current;
    return element === null ? undefined : keepPlot(element, plot, latest);
  }, [lines]);
  useEffect(() => plot.current?.setData(plotData(props.data)), [props.data]);
  useEffect(() => plot.current && showCursor(plot.current, props.cursor), [props.cursor]);
  return (
    <div
      ref={holder}
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
      tabIndex={0}
      aria-label={props.label}
      className={styles.plot}
      onKeyDown={(event) => moveCursor(event, props)}
      onBlur={() => props.onCursor(null)}
    />
  );
}

function keepPlot(
  element: HTMLDivElement,
  plot: { current: uPlot | undefined },
  latest: { readonly current: TimeChartProps },
): () => void {
  const make = () => {
    plot.current?.destroy();
    const { data, scale, format } = latest.current;
    const options = chartOptions({
      width: element.clientWidth,
      colours: chartColours(element),
      series: data.series,
      scale,
      format,
      onCursor: (index) => latest.current.onCursor(index),
    });
    plot.current = new uPlot(options, plotData(data), element);
  };
  make();
  const observer = new ResizeObserver(() =>
    plot.current?.setSize({ width: element.clientWidth, height: element.clientHeight }),
  );
  observer.observe(element);
  const unsubscribe = onThemeChange(make);
  return () => {
    unsubscribe();
    observer.disconnect();
    plot.current?.destroy();
    plot.current = undefined;
  };
}

/** The plot has moved its cursor by itself when the pointer did; keys move it from outside. */
function showCursor(plot: uPlot, index: number | null): void {
  if ((plot.cursor.idx ?? null) === index) return;
  const seconds = index === null ? undefined : plot.data[0][index];
  const left = seconds === undefined ? -10 : plot.valToPos(seconds, 'x');
  plot.setCursor({ left, top: left });
}

function plotData(data: TimeSeries): uPlot.AlignedData {
  return [data.timesMs.map((ms) => ms / 1_000), ...data.series.map((line) => [...line.values])];
}

function moveCursor(event: KeyboardEvent, { data, cursor, onCursor }: TimeChartProps): void {
  const last = data.timesMs.length - 1;
  const from = cursor ?? last + 1;
  const target = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  onCursor(Math.min(last, Math.max(0, target)));
}
