import { StoredSetting, useSetting } from '../../settings/stored-setting.js';

/** In the order in which they stand. */
const ALL = ['state', 'job', 'queue', 'attempt', 'priority', 'enqueued', 'when', 'size', 'worker', 'error'] as const;

export type JobColumn = (typeof ALL)[number];
/** The job itself stands in every list. */
export type ChosenColumn = Exclude<JobColumn, 'job'>;

export const CHOICES: readonly ChosenColumn[] = ALL.filter((column) => column !== 'job');
const AT_FIRST: readonly ChosenColumn[] = ['state', 'queue', 'attempt', 'when', 'error'];

/** Which ones somebody wants to see, in this browser. */
export const jobColumnsSetting = new StoredSetting<readonly ChosenColumn[]>(
  'jobColumns',
  AT_FIRST,
  (value): value is readonly ChosenColumn[] =>
    Array.isArray(value) && value.every((name) => CHOICES.some((known) => known === name)),
);

/** `showState`: lists of one state do not repeat it in every row. */
export function useJobColumns(showState: boolean): readonly JobColumn[] {
  const chosen = useSetting(jobColumnsSetting);
  return ALL.filter((column) => column === 'job' || (chosen.includes(column) && (showState || column !== 'state')));
}

export function toggleJobColumn(column: ChosenColumn): void {
  const chosen = jobColumnsSetting.get();
  jobColumnsSetting.set(chosen.includes(column) ? chosen.filter((one) => one !== column) : [...chosen, column]);
}

export function showFirstJobColumns(): void {
  jobColumnsSetting.set(AT_FIRST);
}
