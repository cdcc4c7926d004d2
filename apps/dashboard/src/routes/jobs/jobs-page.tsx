import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { jobsQuery } from '../../api/jobs.js';
import { overviewQuery } from '../../api/overview.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { Answered } from '../../frame/answered.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { useCursorPages } from '../cursor-pages.js';
import { JobList } from './job-list.js';
import { NameFilter, QueueFilter } from './jobs-filter.js';
import { formatJobsSearch, type JobsSearch, parseJobsSearch, withFilter } from './jobs-search.js';
import { jobsText } from './jobs-text.js';
import { StateTabs } from './state-tabs.js';

export function JobsPage() {
  const view = parseJobsSearch(useSearch());
  const pages = useCursorPages();
  const refresh = useRefresh(CALM_REFRESH_MS);
  const jobs = useQuery(jobsQuery(view, view.cursor, refresh));
  const { state, queue, name } = view;
  return (
    <>
      <JobsHeader view={view} />
      <Answered
        key={JSON.stringify([state, queue, name])}
        query={jobs}
        loading={<Skeleton rows={12} label={jobsText.loading} />}
      >
        {(answer) => (
          <JobList
            answer={answer}
            family={formatJobsSearch({ ...view, job: '' })}
            label={jobsText.title}
            pages={pages}
            empty={<NoJobs view={view} />}
          />
        )}
      </Answered>
    </>
  );
}

function JobsHeader({ view }: { readonly view: JobsSearch }) {
  const [path, navigate] = useLocation();
  const nameField = useRef<HTMLInputElement>(null);
  const queues = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS))).data?.queues;
  useShortcuts({ '/': () => nameField.current?.focus() });
  const filter = (change: Parameters<typeof withFilter>[1]) =>
    navigate(`${path}${formatJobsSearch(withFilter(view, change))}`);
  return (
    <>
      <PageHeader title={jobsText.title}>
        <QueueFilter
          queues={queues?.map((queue) => queue.name) ?? []}
          queue={view.queue}
          onQueue={(queue) => filter({ queue })}
        />
        <NameFilter ref={nameField} name={view.name} onName={(name) => filter({ name })} />
      </PageHeader>
      <StateTabs view={view} queues={queues} />
    </>
  );
}

function NoJobs({ view }: { readonly view: JobsSearch }) {
  const [path] = useLocation();
  if (view.queue === undefined && view.name === undefined) {
    return <EmptyState title={view.state === undefined ? jobsText.emptyAll : jobsText.emptyState(view.state)} />;
  }
  return (
    <EmptyState title={jobsText.emptyFiltered}>
      <Link href={`${path}${formatJobsSearch(withFilter(view, { queue: undefined, name: undefined }))}`}>
        {jobsText.clearFilter}
      </Link>
    </EmptyState>
  );
}
