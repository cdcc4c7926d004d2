import type { LeasesAnswer } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { leasesQuery } from '../../api/leases.js';
import { useFeature, useReadOnly } from '../../api/meta.js';
import { overviewQuery } from '../../api/overview.js';
import { storageQuery } from '../../api/storage.js';
import { workersQuery } from '../../api/workers.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import table from '../../components/table.module.css';
import { Answered } from '../../frame/answered.js';
import { rowFocus } from '../../keyboard/row-focus.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { CALM_REFRESH_MS, FAST_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { useOpenJob } from '../job/open-job.js';
import { ExpiriesBy } from './expiries-by.js';
import { ExpiryHistory } from './expiry-history.js';
import { ExpiryTable } from './expiry-table.js';
import { LeaseTable } from './lease-table.js';
import styles from './leases.module.css';
import { leasesText } from './leases-text.js';
import { WorkerTable } from './worker-table.js';

export function LeasesPage() {
  const leases = useQuery(leasesQuery(useRefresh(FAST_REFRESH_MS)));
  return (
    <>
      <PageHeader
        title={leasesText.title}
        note={leases.data === undefined ? undefined : leasesText.note(leases.data.leases.length)}
      />
      <Workers />
      <Answered query={leases} loading={<Skeleton rows={8} label={leasesText.loading} />}>
        {(answer) => <Leases answer={answer} />}
      </Answered>
    </>
  );
}

function Leases({ answer }: { readonly answer: LeasesAnswer }) {
  const readOnly = useReadOnly();
  const page = useRef<HTMLDivElement>(null);
  const rows = rowFocus(page);
  const { openId, open } = useOpenJob();
  const move = (step: number) => {
    const id = rows.move(step, openId);
    if (openId !== undefined && id !== undefined) open(id);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1) });
  return (
    <div ref={page}>
      <h2 className={styles.heading}>{leasesText.live}</h2>
      <div className={table.frame}>
        {answer.leases.length === 0 ? <NoLeases /> : <LeaseTable leases={answer.leases} nowMs={answer.serverTimeMs} />}
      </div>
      {readOnly === undefined && <Expiries expiries={answer.expiries} />}
    </div>
  );
}

function Expiries({ expiries }: Pick<LeasesAnswer, 'expiries'>) {
  return (
    <section className={styles.expiries}>
      <h2>{leasesText.expiries}</h2>
      <p className={styles.note}>{leasesText.expiriesNote}</p>
      {expiries.length > 0 && <ExpiryOverview expiries={expiries} />}
      <div className={table.frame}>
        {expiries.length === 0 ? <EmptyState title={leasesText.noExpiries} /> : <ExpiryTable expiries={expiries} />}
      </div>
    </section>
  );
}

function Workers() {
  const known = useFeature('workers');
  const workers = useQuery({ ...workersQuery(useRefresh(CALM_REFRESH_MS)), enabled: known });
  if (!known) return null;
  return (
    <section className={styles.workers}>
      <h2>{leasesText.workers}</h2>
      <p className={styles.note}>{leasesText.workersNote}</p>
      <Answered query={workers} loading={<Skeleton rows={2} label={leasesText.workersLoading} />}>
        {(answer) => (
          <div className={table.frame}>
            {answer.workers.length === 0 ? <NoWorkers /> : <WorkerTable workers={answer.workers} />}
          </div>
        )}
      </Answered>
    </section>
  );
}

function NoWorkers() {
  const ready = useReady();
  return (
    <div className={ready > 0 ? styles.nobody : undefined}>
      <EmptyState title={leasesText.noWorkers}>{leasesText.noWorkersNote(ready)}</EmptyState>
    </div>
  );
}

function useReady(): number {
  const queues = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS))).data?.queues ?? [];
  return queues.reduce((total, queue) => total + queue.counts.ready, 0);
}

/** Who loses leases is known from the store's figures: asked for calmly, and missing in a store that does not count it. */
function ExpiryOverview({ expiries }: { readonly expiries: LeasesAnswer['expiries'] }) {
  const by = useQuery(storageQuery(useRefresh(CALM_REFRESH_MS))).data?.metrics.leaseExpiriesBy ?? [];
  return (
    <div className={styles.overview}>
      <ExpiryHistory expiries={expiries} />
      {by.length > 0 && <ExpiriesBy expiries={by} />}
    </div>
  );
}

/** Nothing leased is calm while nothing is ready, and a fault otherwise. */
function NoLeases() {
  const ready = useReady();
  if (ready === 0) return <EmptyState title={leasesText.emptyTitle}>{leasesText.emptyNote}</EmptyState>;
  return (
    <div className={styles.nobody}>
      <EmptyState title={leasesText.nobodyTitle}>{leasesText.nobodyNote(ready)}</EmptyState>
    </div>
  );
}
