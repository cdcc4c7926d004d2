import { formatCount } from '../../format/number.js';
import type { Heatmap } from './heatmap.js';
import styles from './heatmap.module.css';
import { storageText } from './storage-text.js';

interface ColumnHistogramProps {
  readonly map: Heatmap;
  readonly at: number;
  readonly format: (value: number) => string;
}

/** The column that is read, as bars on the rows of the picture. Decoration: the table has the same numbers. */
export function ColumnHistogram({ map, at, format }: ColumnHistogramProps) {
  const counts = map.columns[at]?.counts ?? [];
  const most = Math.max(1, ...counts);
  return (
    <div className={styles.histogram} aria-hidden="true">
      {counts.toReversed().map((count, index) => {
        const row = counts.length - 1 - index;
        const from = map.edges[row] ?? 0;
        return (
          <span key={from} className={styles.histogramRow} title={storageText.cell(format(from), formatCount(count))}>
            <span className={styles.histogramBar} style={{ width: `${((count / most) * 100).toFixed(1)}%` }} />
          </span>
        );
      })}
    </div>
  );
}
