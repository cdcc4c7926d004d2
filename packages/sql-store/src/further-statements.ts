import type { JobState } from '@holdfast/contract';
import type { ActedRow, ActValues, Asked, JobPlace } from './statements.js';

/** What only a database answers that knows by which transaction a job came where it is. */
export interface FurtherStatements {
  /** What the database shows at this moment, as it writes it. */
  snapshot: Asked<[], { readonly snapshot: string }>;
  /** Whether the end of a snapshot has come. */
  hasBeen: Asked<[end: string], { readonly has_been: boolean }>;
  /** How many jobs are in each state of each queue, or of one, and the snapshot for which that holds. */
  plannedCounts: Asked<
    [queueId: number | null],
    {
      readonly snapshot: string;
      readonly counts: readonly (readonly [queue: string, state: JobState, count: number])[] | null;
    }
  >;
  countByQueue: Asked<
    [place: JobPlace & { readonly state: JobState }],
    { readonly queue: string; readonly count: number }
  >;
  /** To another queue. Those that are there already are left alone. */
  transfer: Asked<[...ActValues, queueId: number], ActedRow>;
  /** Adds up what is known of deaths. */
  foldDeaths: Asked<[], object>;
}

export interface FurtherQueries {
  run<Name extends keyof FurtherStatements>(
    name: Name,
    values: FurtherStatements[Name]['values'],
  ): Promise<readonly FurtherStatements[Name]['row'][]>;
}
