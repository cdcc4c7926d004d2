import type { OverviewAnswer } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { deadGroupsQuery } from '../../api/dead-groups.js';
import { leasesQuery } from '../../api/leases.js';
import { useFeature } from '../../api/meta.js';
import { overviewQuery } from '../../api/overview.js';
import { workersQuery } from '../../api/workers.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { Answered } from '../../frame/answered.js';
import { CALM_REFRESH_MS, FAST_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { useServerNow } from '../../live/server-now.js';
import { type Attention, attentionOf } from './attention.js';
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
  const lines = useAttention(answer);
  return (
    <>
      <OverviewFigures answer={answer} answeredAtMs={answeredAtMs} />
      {answer.queues.length === 0 ? (
        <FirstJob />
      ) : (
        <>
          <AttentionList lines={lines} />
          <QueueTable queues={answer.queues} nowMs={answer.serverTimeMs} />
        </>
      )}
    </>
  );
}

/** What this server and its store can tell of leases, workers and errors, beside the overview itself. */
function useAttention(overview: OverviewAnswer): readonly Attention[] {
  const refresh = useRefresh(CALM_REFRESH_MS);
  const leases = useQuery(leasesQuery(refresh));
  const workers = useQuery({ ...workersQuery(refresh), enabled: useFeature('workers') });
  const groups = useQuery({ ...deadGroupsQuery({}, undefined, refresh), enabled: useFeature('deadGroups') });
  const nowMs = useServerNow();
  const facts = {
    overview,
    expiries: leases.data?.expiries,
    workers: workers.data?.workers,
    groups: groups.data?.groups,
  };
  return attentionOf(facts, nowMs);
}

function FirstJob() {
  return (
    <div className={styles.first}>
      <EmptyState title={overviewText.emptyTitle}>{overviewText.emptyNote}</EmptyState>
      <pre className={styles.code}>{firstJobCode}</pre>
    </div>
  );
}
