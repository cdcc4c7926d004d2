import type { RecoveryReport, StorageAnswer } from '@holdfast/contract';
import { CopyButton } from '../../components/copy-button.js';
import { VisibleText } from '../../components/visible-text.js';
import { formatBytes, formatCount } from '../../format/number.js';
import { formatDateTime, formatDuration } from '../../format/time.js';
import styles from './recovery.module.css';
import { storageText } from './storage-text.js';

/** What the last open found, in one calm sentence: recovery is what the log is for, not an alarm. */
export function Recovery({ answer }: { readonly answer: StorageAnswer }) {
  const { recovery } = answer.report;
  return (
    <section className={styles.recovery}>
      <header className={styles.header}>
        <h2>{recovery.kind === 'read' ? storageText.reading : storageText.recovery}</h2>
        <CopyButton
          text={JSON.stringify(recovery, undefined, 2)}
          label={storageText.copyRecovery}
          copiedLabel={storageText.copied}
        />
      </header>
      <p className={styles.sentence}>{storageText.recoverySentence(recovery)}</p>
      <details className={styles.details}>
        <summary>{storageText.recoveryDetails}</summary>
        <dl className={styles.facts}>
          {factsOf(answer).map(([label, value]) => (
            <div key={label} className={styles.fact}>
              <dt>{label}</dt>
              <dd>
                <VisibleText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function factsOf({ report, metrics }: StorageAnswer): readonly (readonly [string, string])[] {
  const { recovery } = report;
  const labels = storageText.recoveryFacts;
  return [
    [labels.at, formatDateTime(recovery.atMs)],
    [labels.took, formatDuration(recovery.tookMs)],
    [labels.segments, formatCount(recovery.segments)],
    [labels.bytes, formatBytes(recovery.bytesRead)],
    [labels.records, formatCount(recovery.recordsReplayed)],
    ...changedFacts(recovery),
    [labels.epoch, String(recovery.epoch)],
    [labels.store, report.storeId],
    [labels.location, report.location],
    [labels.written, formatBytes(metrics.totals.bytesWritten)],
    [labels.stall, formatDuration(metrics.engineStallMsMax)],
    ...(metrics.applicationStallMsMax === undefined
      ? []
      : [[labels.applicationStall, formatDuration(metrics.applicationStallMsMax)] as const]),
    ...(report.diskReserve === undefined ? [] : [[labels.reserve, storageText.reserve(report.diskReserve)] as const]),
  ];
}

/** What the open did to the store; a store that is only read is left as it is. */
function changedFacts({ kind, tornTail, leasesEnded }: RecoveryReport): readonly (readonly [string, string])[] {
  if (kind === 'read') return [];
  const labels = storageText.recoveryFacts;
  return [
    [labels.torn, tornTail === undefined ? storageText.none : storageText.tornTail(tornTail)],
    [labels.leases, storageText.leases(leasesEnded)],
  ];
}
