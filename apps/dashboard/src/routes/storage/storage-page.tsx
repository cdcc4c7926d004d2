import type { StorageAnswer } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { storageQuery } from '../../api/storage.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { RefreshProblem, WholeProblem } from '../../frame/problem-view.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { CommitChart, LatencyChart } from './charts.js';
import { Recovery } from './recovery.js';
import { Segments } from './segments.js';
import styles from './storage.module.css';
import { StorageFigures } from './storage-figures.js';
import { storageText } from './storage-text.js';

export default function StoragePage() {
  const storage = useQuery(storageQuery(useRefresh(CALM_REFRESH_MS)));
  const retry = () => void storage.refetch();
  return (
    <>
      <PageHeader title={storageText.title} />
      {storage.error !== null && storage.data !== undefined && (
        <RefreshProblem error={storage.error} sinceMs={storage.data.serverTimeMs} onRetry={retry} />
      )}
      {storage.data !== undefined ? (
        <Storage answer={storage.data} />
      ) : storage.error !== null ? (
        <WholeProblem error={storage.error} onRetry={retry} />
      ) : (
        <Skeleton rows={10} label={storageText.loading} />
      )}
    </>
  );
}

function Storage({ answer }: { readonly answer: StorageAnswer }) {
  return (
    <>
      <StorageFigures answer={answer} />
      <div className={styles.charts}>
        <LatencyChart metrics={answer.metrics} />
        <CommitChart metrics={answer.metrics} />
      </div>
      <Segments report={answer.report} />
      <Recovery answer={answer} />
    </>
  );
}
