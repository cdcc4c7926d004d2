import type { HistogramName } from '@holdfast/contract';
import { useLocation, useSearch } from 'wouter';
import { classNames } from '../../components/class-names.js';
import { formatCount } from '../../format/number.js';
import { formatDuration } from '../../format/time.js';
import { paramOf, withParams } from '../search-params.js';
import type { Heatmap } from './heatmap.js';
import styles from './heatmap.module.css';
import { HeatmapFrame } from './heatmap-frame.js';
import { SPANS, spanOf } from './spans.js';
import { storageText } from './storage-text.js';

const { heatmap: text } = storageText;
const DURATIONS = ['sync', 'append', 'claim', 'queue', 'run'] as const satisfies readonly HistogramName[];
type Duration = (typeof DURATIONS)[number];

/** Durations, one measure at a time, and the size of commits, over the same span: both are part of the address. */
export function Heatmaps() {
  const search = useSearch();
  const span = spanOf(paramOf(search, 'span'));
  const measure = DURATIONS.find((known) => known === paramOf(search, 'measure')) ?? 'sync';
  return (
    <>
      <Switches measure={measure} span={span.key} />
      <div className={styles.maps}>
        <HeatmapFrame
          key={`${measure} ${span.key}`}
          title={text.durations[measure].title}
          note={text.durations[measure].note}
          measure={measure}
          span={span}
          format={microseconds}
          summary={(map) => text.summary(text.durations[measure].title, microseconds(largest(map)), span.label)}
        />
        <HeatmapFrame
          key={span.key}
          title={storageText.commits.title}
          note={storageText.commits.note}
          measure="commitRecords"
          span={span}
          format={records}
          summary={(map) => text.summary(storageText.commits.title, records(largest(map)), span.label)}
        />
      </div>
    </>
  );
}

function Switches({ measure, span }: { readonly measure: Duration; readonly span: string }) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const change = (name: string, value: string) => navigate(`${path}${withParams(search, { [name]: value })}`);
  return (
    <div className={styles.switches}>
      <label className={styles.measure}>
        <span>{text.measure}</span>
        <select value={measure} onChange={(event) => change('measure', event.target.value)}>
          {DURATIONS.map((known) => (
            <option key={known} value={known}>
              {text.durations[known].title}
            </option>
          ))}
        </select>
      </label>
      <fieldset className={styles.spans}>
        <legend>{text.span}</legend>
        {SPANS.map((known) => (
          <label key={known.key} className={classNames(styles.span, known.key === span && styles.here)}>
            <input type="radio" name="span" checked={known.key === span} onChange={() => change('span', known.key)} />
            {known.label}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

function microseconds(value: number): string {
  return formatDuration(value / 1_000);
}

function records(value: number): string {
  return formatCount(Math.round(value));
}

function largest({ columns }: Heatmap): number {
  return columns.reduce((most, { histogram }) => Math.max(most, histogram?.max ?? 0), 0);
}
