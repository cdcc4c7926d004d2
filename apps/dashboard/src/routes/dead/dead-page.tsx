import type { JobsAnswer } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { jobsQuery } from '../../api/jobs.js';
import { overviewQuery } from '../../api/overview.js';
import { serverClock } from '../../api/server-clock.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { visibleText } from '../../format/hostile-text.js';
import { Answered } from '../../frame/answered.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { useCursorPages } from '../cursor-pages.js';
import { JobList } from '../jobs/job-list.js';
import { QueueFilter } from '../jobs/jobs-filter.js';
import { useJobSelection } from '../jobs/selection.js';
import { RedriveButton, useRedriveIfAllowed } from '../redrive/redrive-button.js';
import { redriveText } from '../redrive/redrive-text.js';
import { paramOf, withParams } from '../search-params.js';
import { deadText } from './dead-text.js';
import { SelectionBar } from './selection-bar.js';

const REDRIVE_ALL_KEY = 'R';

export function DeadPage() {
  const queue = paramOf(useSearch(), 'queue');
  const { cursor } = useCursorPages();
  const filter = queue === undefined ? { state: 'dead' as const } : { state: 'dead' as const, queue };
  const dead = useQuery(jobsQuery(filter, cursor, useRefresh(CALM_REFRESH_MS)));
  const [redriven, setRedriven] = useState({ times: 0, atMs: 0 });
  const onRedriven = () => setRedriven(({ times }) => ({ times: times + 1, atMs: serverClock.localNow() }));
  // With the first answer after an act the jobs leave the list, wherever the pointer is: a new family does not hold them.
  const redrives = dead.dataUpdatedAt > redriven.atMs ? redriven.times : redriven.times - 1;
  return (
    <>
      <DeadHeader queue={queue} total={dead.data?.total.value} onRedriven={onRedriven} />
      <Answered key={queue ?? ''} query={dead} loading={<Skeleton rows={12} label={deadText.loading} />}>
        {(answer) => <DeadList answer={answer} queue={queue} redrives={redrives} onRedriven={onRedriven} />}
      </Answered>
    </>
  );
}

interface DeadHeaderProps {
  readonly queue: string | undefined;
  readonly total: number | undefined;
  readonly onRedriven: () => void;
}

function DeadHeader({ queue, total, onRedriven }: DeadHeaderProps) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const queues = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS))).data?.queues ?? [];
  const request = { kind: 'allDead' as const, queue, onDone: onRedriven };
  const { redrive } = useRedriveIfAllowed();
  useShortcuts(total === undefined || total === 0 ? {} : { [REDRIVE_ALL_KEY]: () => redrive(request) });
  return (
    <PageHeader title={deadText.title}>
      <QueueFilter
        queues={queues.map((known) => known.name)}
        queue={queue}
        onQueue={(next) => navigate(`${path}${withParams(search, { queue: next, cursor: undefined })}`)}
      />
      {total !== undefined && (
        <RedriveButton
          request={request}
          label={redriveText.all(total)}
          unavailable={total === 0 ? redriveText.none : undefined}
        />
      )}
    </PageHeader>
  );
}

interface DeadListProps {
  readonly answer: JobsAnswer;
  readonly queue: string | undefined;
  readonly redrives: number;
  readonly onRedriven: () => void;
}

function DeadList({ answer, queue, redrives, onRedriven }: DeadListProps) {
  const pages = useCursorPages();
  const selection = useJobSelection(queue ?? '');
  const onSelectedRedriven = () => {
    selection.clear();
    onRedriven();
  };
  return (
    <>
      {(answer.rows.length > 0 || selection.size > 0) && (
        <SelectionBar selection={selection} onRedriven={onSelectedRedriven} />
      )}
      <JobList
        answer={answer}
        family={JSON.stringify([queue, pages.cursor, redrives])}
        label={deadText.title}
        pages={pages}
        empty={<NoneDead queue={queue} />}
        selection={selection}
        showState={false}
      />
    </>
  );
}

function NoneDead({ queue }: { readonly queue: string | undefined }) {
  if (queue === undefined) return <EmptyState title={deadText.emptyTitle}>{deadText.emptyNote}</EmptyState>;
  return (
    <EmptyState title={deadText.emptyInQueue(visibleText(queue))}>
      <Link href="/dead">{deadText.allQueues}</Link>
    </EmptyState>
  );
}
