import { lazy, Suspense, useId, useState } from 'react';
import { Button } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { EmptyState } from '../../components/empty-state.js';
import { ScrollRegion } from '../../components/scroll-region.js';
import table from '../../components/table.module.css';
import { formatClock } from '../../format/time.js';
import { missingFile } from '../../frame/missing-file.js';
import styles from './chart-frame.module.css';
import { type TimeSeries, withGaps } from './series.js';
import { storageText } from './storage-text.js';

const TimeChart = lazy(() => import('./time-chart.js').catch(missingFile));

interface ChartFrameProps {
  readonly title: string;
  readonly note: string;
  /** A sentence for those who do not see the lines. */
  readonly summary: string;
  readonly stepMs: number;
  readonly scale: 'linear' | 'log';
  readonly format: (value: number) => string;
  readonly data: TimeSeries;
  /** The same facts as a table. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What the chart library lacks: a title, a legend that reads the point under the cursor, keys, and a table instead. */
export function ChartFrame(props: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const [cursor, setCursor] = useState<number | null>(null);
  const titleId = useId();
  const data = withGaps(props.data, props.stepMs);
  const empty = props.data.timesMs.length === 0;
  return (
    <section className={styles.frame} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId}>{props.title}</h2>
        {!empty && (
          <Button look="quiet" size="small" onClick={() => setAsTable(!asTable)}>
            {asTable ? storageText.chart : storageText.table}
          </Button>
        )}
      </header>
      <p className={styles.note}>{props.note}</p>
      {empty ? (
        <EmptyState title={storageText.empty} />
      ) : asTable ? (
        <ChartTable {...props} />
      ) : (
        <>
          <Legend data={data} at={cursor ?? data.timesMs.length - 1} spoken={cursor !== null} format={props.format} />
          <Suspense fallback={<div className={styles.plot} />}>
            <TimeChart
              data={data}
              scale={props.scale}
              format={props.format}
              label={`${props.summary} ${storageText.keys}`}
              cursor={cursor}
              onCursor={setCursor}
            />
          </Suspense>
        </>
      )}
    </section>
  );
}

interface LegendProps {
  readonly data: TimeSeries;
  readonly at: number;
  /** Only what the cursor reads is spoken; the latest values change all the time. */
  readonly spoken: boolean;
  readonly format: (value: number) => string;
}

function Legend({ data, at, spoken, format }: LegendProps) {
  const atMs = data.timesMs[at];
  return (
    <p className={styles.legend} aria-live={spoken ? 'polite' : 'off'}>
      <span className={styles.time}>{atMs === undefined ? storageText.noData : formatClock(atMs)}</span>
      {data.series.toReversed().map((line) => {
        const value = line.values[at];
        return (
          <span key={line.label} className={styles.item}>
            <span className={classNames(styles.swatch, styles[line.tone])} aria-hidden="true" />
            {line.label} <strong>{value === null || value === undefined ? storageText.noData : format(value)}</strong>
          </span>
        );
      })}
    </p>
  );
}

function ChartTable({ title, columns, rows }: ChartFrameProps) {
  return (
    <ScrollRegion className={styles.scroll} label={storageText.tableOf(title)}>
      <table className={classNames(table.table, styles.table)}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" className={index === 0 ? undefined : table.number}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever shown as a whole.
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={columns[column]} className={column === 0 ? undefined : table.number}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
