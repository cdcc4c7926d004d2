import type { DiskReserveReport, StorageAnswer } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useFeature, useReadOnly } from '../../api/meta.js';
import { storageQuery } from '../../api/storage.js';
import { Banner } from '../../components/banner.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { Answered } from '../../frame/answered.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { CommitChart, LatencyChart } from './charts.js';
import { Compaction } from './compaction.js';
import { DatabaseFigures } from './database-figures.js';
import { Heatmaps } from './heatmaps.js';
import { Recovery } from './recovery.js';
import { Segments } from './segments.js';
import styles from './storage.module.css';
import { StorageFigures } from './storage-figures.js';
import { storageText } from './storage-text.js';

export default function StoragePage() {
  const storage = useQuery(storageQuery(useRefresh(CALM_REFRESH_MS)));
  return (
    <>
      <PageHeader title={storageText.title} />
      <Answered query={storage} loading={<Skeleton rows={10} label={storageText.loading} />}>
        {(answer) => <Storage answer={answer} />}
      </Answered>
    </>
  );
}

function Storage({ answer }: { readonly answer: StorageAnswer }) {
  return answer.report.segments.length === 0 ? <DatabaseFigures answer={answer} /> : <LogStorage answer={answer} />;
}

function LogStorage({ answer }: { readonly answer: StorageAnswer }) {
  const latency = useFeature('latency');
  // What the engine measures and what it found as it started only its own process knows.
  if (useReadOnly() !== undefined) return <Segments report={answer.report} />;
  return (
    <>
      <DiskFull reserve={answer.report.diskReserve} />
      <StorageFigures answer={answer} />
      {latency ? (
        <Heatmaps />
      ) : (
        <div className={styles.charts}>
          <LatencyChart metrics={answer.metrics} />
          <CommitChart metrics={answer.metrics} />
        </div>
      )}
      <Segments report={answer.report} />
      {answer.report.compaction !== undefined && <Compaction report={answer.report.compaction} />}
      <Recovery answer={answer} />
    </>
  );
}

function DiskFull({ reserve }: { readonly reserve: DiskReserveReport | undefined }) {
  if (reserve?.fullSinceMs === undefined) return null;
  return (
    <Banner tone="danger" title={storageText.full(reserve.fullSinceMs)}>
      {storageText.fullNote(reserve)}
    </Banner>
  );
}
