import type { SegmentReport, StorageReport } from '@holdfast/contract';
import { classNames } from '../../components/class-names.js';
import table from '../../components/table.module.css';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { formatBytes } from '../../format/number.js';
import styles from './segments.module.css';
import { storageText } from './storage-text.js';

const columns = storageText.segmentColumns;

/** The files of the log: as cells whose width is their share of the bytes, and as a table, the newest on top. */
export function Segments({ report }: { readonly report: StorageReport }) {
  const { segments, durableSeq } = report;
  return (
    <section className={styles.segments}>
      <h2>
        {storageText.segments} <span className={styles.size}>{storageText.durable(durableSeq)}</span>
      </h2>
      <p className={styles.note}>{storageText.segmentsNote}</p>
      <SegmentCells segments={segments} />
      <div className={table.frame}>
        <table className={classNames(table.table, styles.table)} aria-label={storageText.segments}>
          <thead>
            <tr>
              <th scope="col">{columns.file}</th>
              <th scope="col" className={styles.state}>
                {columns.state}
              </th>
              <th scope="col" className={classNames(styles.commits, table.number)}>
                {columns.commits}
              </th>
              <th scope="col" className={classNames(styles.liveColumn, table.number)}>
                {columns.live}
              </th>
              <th scope="col" className={classNames(styles.bytes, table.number)}>
                {columns.bytes}
              </th>
            </tr>
          </thead>
          <tbody>
            {segments.toReversed().map((segment) => (
              <tr key={segment.number}>
                <td className={table.mono} title={visibleText(segment.file)}>
                  <VisibleText text={fileName(segment.file)} />
                </td>
                <td className={styles.state}>{storageText.segmentStates[segment.state]}</td>
                <td className={classNames(styles.commits, table.number)}>
                  {segment.firstSeq}–{segment.lastSeq}
                </td>
                <td className={classNames(styles.liveColumn, table.number, table.muted)}>
                  {segment.liveBytes === undefined ? '–' : storageText.liveShare(liveShare(segment))}
                </td>
                <td className={table.number}>{formatBytes(segment.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Width: its share of the bytes. Filled: what of it is live. */
function SegmentCells({ segments }: Pick<StorageReport, 'segments'>) {
  return (
    <div className={styles.cells} aria-hidden="true">
      {segments.map((segment) => (
        <span
          key={segment.number}
          title={storageText.segmentCell(segment)}
          className={classNames(styles.cell, styles[segment.state])}
          style={{ flexGrow: Math.max(1, segment.bytes) }}
        >
          <span className={styles.live} style={{ width: `${(liveShare(segment) * 100).toFixed(1)}%` }} />
        </span>
      ))}
    </div>
  );
}

/** A store that does not count what is live shows its segments as wholly so. */
function liveShare({ bytes, liveBytes }: SegmentReport): number {
  return liveBytes === undefined || bytes === 0 ? 1 : Math.min(1, liveBytes / bytes);
}

/** The directory is the same for all of them, and is named with the disk. */
function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
