import type { StorageReport } from '@holdfast/contract';
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
      <div className={styles.cells} aria-hidden="true">
        {segments.map((segment) => (
          <span
            key={segment.number}
            title={storageText.segmentCell(segment)}
            className={classNames(styles.cell, styles[segment.state])}
            style={{ flexGrow: Math.max(1, segment.bytes) }}
          />
        ))}
      </div>
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
                <td className={table.number}>{formatBytes(segment.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The directory is the same for all of them, and is named with the disk. */
function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
