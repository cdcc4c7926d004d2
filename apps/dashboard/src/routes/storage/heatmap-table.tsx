import { classNames } from '../../components/class-names.js';
import { ScrollRegion } from '../../components/scroll-region.js';
import table from '../../components/table.module.css';
import { percentile } from '../../format/histogram.js';
import { formatCount } from '../../format/number.js';
import { formatClock } from '../../format/time.js';
import chart from './chart-frame.module.css';
import type { Heatmap } from './heatmap.js';
import { storageText } from './storage-text.js';

const { columns } = storageText.heatmap;

interface HeatmapTableProps {
  readonly map: Heatmap;
  readonly format: (value: number) => string;
}

/** The same facts as a table, the latest on top. Stretches in which nothing happened are left out. */
export function HeatmapTable({ map, format }: HeatmapTableProps) {
  const read = map.columns.flatMap(({ atMs, histogram }) => (histogram === undefined ? [] : [{ atMs, histogram }]));
  const value = (part: number | undefined) => (part === undefined ? storageText.noData : format(part));
  return (
    <ScrollRegion className={chart.scroll} label={storageText.table}>
      <table className={classNames(table.table, chart.table)}>
        <thead>
          <tr>
            <th scope="col">{columns.time}</th>
            <th scope="col" className={table.number}>
              {columns.count}
            </th>
            <th scope="col" className={table.number}>
              p50
            </th>
            <th scope="col" className={table.number}>
              p99
            </th>
            <th scope="col" className={table.number}>
              {columns.max}
            </th>
          </tr>
        </thead>
        <tbody>
          {read.toReversed().map(({ atMs, histogram }) => (
            <tr key={atMs}>
              <td>{formatClock(atMs)}</td>
              <td className={table.number}>{formatCount(histogram.count)}</td>
              <td className={table.number}>{value(percentile(histogram, 50))}</td>
              <td className={table.number}>{value(percentile(histogram, 99))}</td>
              <td className={table.number}>{format(histogram.max)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
