import { useQuery } from '@tanstack/react-query';
import { operationsQuery } from '../../api/bulk.js';
import { metaQuery, useFeature } from '../../api/meta.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import table from '../../components/table.module.css';
import { Answered } from '../../frame/answered.js';
import { FAST_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import styles from './activity.module.css';
import { activityText } from './activity-text.js';
import { Audit } from './audit.js';
import { OperationTable } from './operation-table.js';

/** What operators did, and what is still under way because of it. */
export function ActivityPage() {
  const known = useQuery(metaQuery).data !== undefined;
  const bulk = useFeature('bulk');
  const activity = useFeature('activity');
  return (
    <>
      <PageHeader title={activityText.title} />
      {!known && <Skeleton rows={8} label={activityText.loading} />}
      {known && !bulk && !activity && (
        <div className={table.frame}>
          <EmptyState title={activityText.unsupported} />
        </div>
      )}
      {bulk && <Operations />}
      {activity && <Audit />}
    </>
  );
}

function Operations() {
  const operations = useQuery(operationsQuery(useRefresh(FAST_REFRESH_MS)));
  return (
    <section className={styles.section}>
      <h2>{activityText.operations}</h2>
      <p className={styles.note}>{activityText.operationsNote}</p>
      <Answered query={operations} loading={<Skeleton rows={3} label={activityText.loading} />}>
        {(answer) => (
          <div className={table.frame}>
            {answer.operations.length === 0 ? (
              <EmptyState title={activityText.noOperations}>{activityText.noOperationsNote}</EmptyState>
            ) : (
              <OperationTable operations={answer.operations} />
            )}
          </div>
        )}
      </Answered>
    </section>
  );
}
