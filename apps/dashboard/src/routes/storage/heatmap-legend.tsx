import { classNames } from '../../components/class-names.js';
import { percentile } from '../../format/histogram.js';
import { formatCount } from '../../format/number.js';
import { formatClock } from '../../format/time.js';
import chart from './chart-frame.module.css';
import type { Heatmap } from './heatmap.js';
import styles from './heatmap.module.css';
import { storageText } from './storage-text.js';

/** Fewer values than this say little about a high percentile. */
export const SAMPLES_FEW = 20;

interface HeatmapLegendProps {
  readonly map: Heatmap;
  readonly at: number;
  /** Only what the cursor reads is spoken; the latest values change all the time. */
  readonly spoken: boolean;
  readonly format: (value: number) => string;
}

/** The column that is read, in numbers. */
export function HeatmapLegend({ map, at, spoken, format }: HeatmapLegendProps) {
  const column = map.columns[at];
  const histogram = column?.histogram;
  const few = histogram !== undefined && histogram.count < SAMPLES_FEW;
  const value = (wanted: number) => {
    const read = histogram === undefined ? undefined : percentile(histogram, wanted);
    return read === undefined ? storageText.noData : format(read);
  };
  return (
    <p className={classNames(chart.legend, few && styles.few)} aria-live={spoken ? 'polite' : 'off'}>
      <span className={chart.time}>{column === undefined ? storageText.noData : formatClock(column.atMs)}</span>
      <span className={chart.item}>
        <span className={classNames(chart.swatch, styles.median)} aria-hidden="true" />
        p50 <strong>{value(50)}</strong>
      </span>
      <span className={chart.item}>
        <span className={classNames(chart.swatch, chart.caution)} aria-hidden="true" />
        p99 <strong>{value(99)}</strong>
      </span>
      <span className={chart.item}>
        max <strong>{histogram === undefined ? storageText.noData : format(histogram.max)}</strong>
      </span>
      <span className={chart.item}>
        n <strong>{formatCount(histogram?.count ?? 0)}</strong> {few && storageText.few}
      </span>
    </p>
  );
}
