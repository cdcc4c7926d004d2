import type { CompactionReport } from '@holdfast/contract';
import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.js';
import { VisibleText } from '../../components/visible-text.js';
import { formatBytes, formatCount } from '../../format/number.js';
import { Moment } from '../job/job-facts.js';
import styles from './recovery.module.css';
import { storageText } from './storage-text.js';

const { compactionFacts: labels } = storageText;

/** How the log frees its disk. Calm, but for the one case in which it cannot go on. */
export function Compaction({ report }: { readonly report: CompactionReport }) {
  return (
    <section className={styles.recovery}>
      <h2>{storageText.compaction}</h2>
      <p className={styles.sentence}>{storageText.compactionSentence(report)}</p>
      {report.stoppedBy !== undefined && (
        <div className={styles.stopped}>
          <Banner tone="danger" title={storageText.compactionStopped}>
            <code>
              <VisibleText text={report.stoppedBy.file} />
            </code>
            : <VisibleText text={report.stoppedBy.problem} lines />
          </Banner>
        </div>
      )}
      <details className={styles.details}>
        <summary>{storageText.recoveryDetails}</summary>
        <dl className={styles.facts}>
          <Fact label={labels.jobs} value={formatCount(report.movedJobs)} />
          <Fact label={labels.bytes} value={formatBytes(report.movedBytes)} />
          <Fact label={labels.freed} value={formatBytes(report.freedBytes)} />
          <Fact
            label={labels.last}
            value={report.lastAtMs === undefined ? storageText.never : <Moment atMs={report.lastAtMs} />}
          />
        </dl>
      </details>
    </section>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
