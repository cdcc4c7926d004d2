import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from 'wouter';
import { jobsQuery } from '../../api/jobs.js';
import { useFeature } from '../../api/meta.js';
import { overviewQuery } from '../../api/overview.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { Answered } from '../../frame/answered.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { pagesBeside, useCursorPages } from '../cursor-pages.js';
import { QueueFilter } from '../jobs/queue-filter.js';
import { SelectableJobs } from '../jobs/selectable-jobs.js';
import { RedriveButton, useRedriveIfAllowed } from '../redrive/redrive-button.js';
import { redriveText } from '../redrive/redrive-text.js';
import { paramOf, withParams } from '../search-params.js';
import { DeadGroups } from './dead-groups.js';
import { DeadTabs } from './dead-tabs.js';
import { deadText } from './dead-text.js';
import { NoneDead } from './none-dead.js';

const REDRIVE_ALL_KEY = 'R';

/** Dead jobs by the error that they have in common, or one by one. */
export function DeadPage() {
  const search = useSearch();
  const queue = paramOf(search, 'queue');
  const grouped = useFeature('deadGroups') && paramOf(search, 'view') !== 'jobs';
  return (
    <>
      <DeadHeader queue={queue} />
      <DeadTabs grouped={grouped} />
      {grouped ? <DeadGroups queue={queue} /> : <DeadJobs queue={queue} />}
    </>
  );
}

function DeadHeader({ queue }: { readonly queue: string | undefined }) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const queues = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS))).data?.queues;
  const total = queues
    ?.filter((known) => queue === undefined || known.name === queue)
    .reduce((sum, known) => sum + known.counts.dead, 0);
  const request = { kind: 'allDead' as const, queue };
  const { redrive } = useRedriveIfAllowed();
  useShortcuts(total === undefined || total === 0 ? {} : { [REDRIVE_ALL_KEY]: () => redrive(request) });
  return (
    <PageHeader title={deadText.title}>
      <QueueFilter
        queues={queues?.map((known) => known.name) ?? []}
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

function DeadJobs({ queue }: { readonly queue: string | undefined }) {
  const here = useCursorPages();
  const filter = { state: 'dead' as const, ...(queue === undefined ? {} : { queue }) };
  const dead = useQuery(jobsQuery(filter, here.cursor, useRefresh(CALM_REFRESH_MS)));
  const pages = pagesBeside(here, dead.isPlaceholderData);
  return (
    <Answered key={queue ?? ''} query={dead} loading={<Skeleton rows={12} label={deadText.loading} />}>
      {(answer) => (
        <SelectableJobs
          answer={answer}
          filterName={queue ?? ''}
          state="dead"
          matching={() => filter}
          label={deadText.title}
          pages={pages}
          empty={<NoneDead queue={queue} />}
          showState={false}
        />
      )}
    </Answered>
  );
}
