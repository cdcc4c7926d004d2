import type { OverviewAnswer } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { attentionQuery } from '../../api/attention.js';
import { overviewQuery } from '../../api/overview.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { Answered } from '../../frame/answered.js';
import { CALM_REFRESH_MS, FAST_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { AttentionList } from './attention-list.js';
import styles from './overview.module.css';
import { OverviewFigures } from './overview-figures.js';
import { firstJobCode, overviewText } from './overview-text.js';
import { QueueTable } from './queue-table.js';

export function OverviewPage() {
  const overview = useQuery(overviewQuery(useRefresh(FAST_REFRESH_MS)));
  return (
    <>
      <PageHeader title={overviewText.title} />
      <Answered query={overview} loading={<Skeleton rows={6} label={overviewText.loading} />}>
        {(answer) => <Overview answer={answer} answeredAtMs={overview.dataUpdatedAt} />}
      </Answered>
    </>
  );
}

function Overview({ answer, answeredAtMs }: { readonly answer: OverviewAnswer; readonly answeredAtMs: number }) {
  const attention = useQuery(attentionQuery(useRefresh(CALM_REFRESH_MS)));
  return (
    <>
      <OverviewFigures answer={answer} answeredAtMs={answeredAtMs} />
      {answer.queues.length === 0 ? (
        <FirstJob />
      ) : (
        <>
          <AttentionList answer={attention.data} failed={attention.isError} />
          <QueueTable queues={answer.queues} nowMs={answer.serverTimeMs} />
        </>
      )}
    </>
  );
}

function FirstJob() {
  return (
    <div className={styles.first}>
      <EmptyState title={overviewText.emptyTitle}>{overviewText.emptyNote}</EmptyState>
      <pre className={styles.code}>{firstJobCode}</pre>
    </div>
  );
}
