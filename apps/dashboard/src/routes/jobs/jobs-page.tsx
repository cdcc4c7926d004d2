import type { JobsAnswer } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { jobsQuery } from '../../api/jobs.js';
import { useFeature } from '../../api/meta.js';
import { overviewQuery } from '../../api/overview.js';
import { serverClock } from '../../api/server-clock.js';
import { Banner } from '../../components/banner.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { formatCount } from '../../format/number.js';
import { Answered } from '../../frame/answered.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { CALM_REFRESH_MS, SEARCH_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { type CursorPages, pagesBeside, useCursorPages } from '../cursor-pages.js';
import { FilterBar } from './filter-bar.js';
import {
  bulkFilter,
  filterText,
  formatJobsSearch,
  isSearch,
  type JobsSearch,
  parsedView,
  parseJobsSearch,
  withFilter,
  withFilterText,
} from './jobs-search.js';
import { jobsText } from './jobs-text.js';
import { SelectableJobs } from './selectable-jobs.js';
import { StateTabs } from './state-tabs.js';
import { ViewsButton } from './views-button.js';

export function JobsPage() {
  const view = parseJobsSearch(useSearch());
  const here = useCursorPages();
  const { asked } = parsedView(view);
  const { state } = view;
  const searches = isSearch(asked);
  const refresh = useRefresh(searches ? SEARCH_REFRESH_MS : CALM_REFRESH_MS);
  const jobs = useQuery(jobsQuery({ ...(state === undefined ? {} : { state }), ...asked }, view.cursor, refresh));
  const pages = pagesBeside(here, jobs.isPlaceholderData);
  const filterName = JSON.stringify([state, asked]);
  const unsupported = !useFeature('search') && searches && jobs.error !== null;
  return (
    <>
      <JobsHeader view={view} />
      {unsupported && <Banner tone="caution" title={jobsText.filterUnsupported} />}
      <Answered key={filterName} query={jobs} loading={<Skeleton rows={12} label={jobsText.loading} />}>
        {(answer) => (
          <SelectableJobs
            answer={answer}
            filterName={filterName}
            state={state}
            matching={() => bulkFilter(state, asked, serverClock.now())}
            label={jobsText.title}
            pages={pages}
            empty={<NoJobs view={view} answer={answer} pages={pages} />}
          />
        )}
      </Answered>
    </>
  );
}

function JobsHeader({ view }: { readonly view: JobsSearch }) {
  const [path, navigate] = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const queues = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS))).data?.queues;
  useShortcuts({ '/': () => field.current?.focus() });
  const text = filterText(view);
  return (
    <>
      <PageHeader title={jobsText.title}>
        <ViewsButton view={view} />
      </PageHeader>
      <FilterBar
        ref={field}
        text={text}
        queues={queues?.map((queue) => queue.name) ?? []}
        onText={(next) => next !== text && navigate(`${path}${formatJobsSearch(withFilterText(view, next))}`)}
      />
      <StateTabs view={view} queues={queues} />
    </>
  );
}

interface NoJobsProps {
  readonly view: JobsSearch;
  readonly answer: JobsAnswer;
  readonly pages: CursorPages;
}

/** Nothing there, nothing that fits, or nothing found so far: three different things. */
function NoJobs({ view, answer, pages }: NoJobsProps) {
  const [path] = useLocation();
  const { next, scan } = answer;
  if (next !== undefined && scan?.exhausted === false) {
    return (
      <EmptyState title={jobsText.noneYet(formatCount(scan.scanned))}>
        <Button look="primary" size="small" aria-disabled={pages.isWaiting} onClick={() => pages.next(next)}>
          {jobsText.searchOn}
        </Button>
      </EmptyState>
    );
  }
  if (filterText(view) === '') {
    return <EmptyState title={view.state === undefined ? jobsText.emptyAll : jobsText.emptyState(view.state)} />;
  }
  return (
    <EmptyState title={jobsText.emptyFiltered}>
      <Link href={`${path}${formatJobsSearch(withFilter(view, { queue: undefined, name: undefined, q: undefined }))}`}>
        {jobsText.clearFilter}
      </Link>
    </EmptyState>
  );
}
