import type { JobFilter, JobState, JobsAnswer } from '@holdfast/contract';
import type { ReactNode } from 'react';
import type { CursorPages } from '../cursor-pages.js';
import { BulkBar } from './bulk-bar.js';
import { JobList } from './job-list.js';
import { useJobSelection } from './selection.js';

interface SelectableJobsProps {
  readonly answer: JobsAnswer;
  /** Names the filter: a selection holds over its pages. */
  readonly filterName: string;
  readonly state: JobState | undefined;
  readonly matching: () => JobFilter;
  readonly label: string;
  readonly pages: CursorPages;
  readonly empty: ReactNode;
  readonly showState?: boolean;
}

/** A list of jobs with everything that can be done to some or all of them. */
export function SelectableJobs(props: SelectableJobsProps) {
  const { answer, filterName, state, matching, label, pages, empty, showState = true } = props;
  const selection = useJobSelection(filterName);
  return (
    <>
      {(answer.rows.length > 0 || selection.size > 0) && (
        <BulkBar
          selection={selection}
          state={state}
          total={answer.total}
          matching={matching}
          shown={answer.rows.length}
        />
      )}
      <JobList
        answer={answer}
        family={JSON.stringify([filterName, pages.cursor, pages.isWaiting])}
        label={label}
        pages={pages}
        empty={empty}
        selection={selection}
        showState={showState}
      />
    </>
  );
}
