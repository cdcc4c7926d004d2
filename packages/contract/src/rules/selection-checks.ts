import type { DeadGroupFilter } from '../dead-group.js';
import { InvalidArgumentError } from '../errors.js';
import { JOB_STATES } from '../job.js';
import type { JobFilter, PageRequest, PayloadField, PlannedPiece, PlanRequest, Selection } from '../job-selection.js';
import { checkItems, checkText, checkWhole } from './call-checks.js';
import { STORE_LIMITS as LIMITS } from './limits.js';

/** Checks of what operators look for and select: each throws an InvalidArgumentError that names the argument. */

const TEXTS = {
  queue: LIMITS.queueNameBytesMax,
  name: LIMITS.jobNameBytesMax,
  id: LIMITS.searchTextBytesMax,
  errorClass: LIMITS.errorClassBytesMax,
  errorText: LIMITS.searchTextBytesMax,
  errorFingerprint: LIMITS.searchTextBytesMax,
} as const;

const TIMES = ['enqueuedFromMs', 'enqueuedBeforeMs', 'updatedFromMs', 'updatedBeforeMs'] as const;

export function checkedPage(page: PageRequest): PageRequest {
  checkWhole('page.limit', page.limit, 1, LIMITS.pageRowsMax);
  if (page.cursor !== undefined && typeof page.cursor !== 'string') {
    throw new InvalidArgumentError('page.cursor', page.cursor, 'a cursor of a page');
  }
  if (page.scanMax !== undefined) checkWhole('page.scanMax', page.scanMax, 1, LIMITS.pageScanMax);
  return {
    limit: page.limit,
    ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
    ...(page.scanMax === undefined ? {} : { scanMax: page.scanMax }),
  };
}

/** @param argument what it is called in an error */
export function checkedFilter(filter: JobFilter, argument = 'filter'): JobFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  for (const [field, value] of given) checkField(`${argument}.${field}`, field, value);
  const { payload } = filter;
  return {
    ...Object.fromEntries(given),
    ...(payload === undefined ? {} : { payload: { path: payload.path, value: payload.value } }),
  };
}

function checkField(argument: string, field: string, value: unknown): void {
  if (Object.hasOwn(TEXTS, field)) checkText(argument, value as string, TEXTS[field as keyof typeof TEXTS]);
  else if ((TIMES as readonly string[]).includes(field)) checkWhole(argument, value as number, 0, LIMITS.runAtMsMax);
  else if (field === 'state') checkState(argument, value);
  else if (field === 'attemptsMin') checkWhole(argument, value as number, 0, LIMITS.maxAttemptsMax);
  else if (field === 'payload') checkPayloadField(argument, value as PayloadField);
  // A field that nobody looks at would show, or change, more jobs than were meant.
  else throw new InvalidArgumentError(argument, value, 'absent: no store knows it');
}

function checkState(argument: string, value: unknown): void {
  if (!JOB_STATES.some((state) => state === value)) {
    throw new InvalidArgumentError(argument, value, `one of ${JOB_STATES.join(', ')}`);
  }
}

function checkPayloadField(argument: string, field: PayloadField): void {
  if (typeof field !== 'object' || field === null) throw new InvalidArgumentError(argument, field, '{ path, value }');
  checkText(`${argument}.path`, field.path, LIMITS.searchTextBytesMax);
  if (field.value !== '') checkText(`${argument}.value`, field.value, LIMITS.searchTextBytesMax);
}

export function checkedSelection(selection: Selection): Selection {
  if (typeof selection !== 'object' || selection === null) {
    throw new InvalidArgumentError('selection', selection, '{ ids } or { all }');
  }
  if ('ids' in selection) return { ids: checkedIds(selection.ids) };
  const { all } = selection;
  if (typeof all !== 'object' || all === null) {
    throw new InvalidArgumentError('selection', selection, '{ ids } or { all }');
  }
  if ('asOf' in selection) return checkedPiece(selection);
  const { state, queue, name, ...more } = checkedFilter(all, 'selection.all');
  for (const [field, value] of Object.entries(more)) {
    throw new InvalidArgumentError(`selection.all.${field}`, value, 'absent, or in a selection as of a plan');
  }
  return {
    all: {
      state: stateOf(state),
      ...(queue === undefined ? {} : { queue }),
      ...(name === undefined ? {} : { name }),
    },
  };
}

function checkedPiece({ all, asOf, limit, cursor }: PlannedPiece): PlannedPiece {
  const { state, ...more } = checkedFilter(all, 'selection.all');
  checkText('selection.asOf', asOf, LIMITS.searchTextBytesMax);
  checkWhole('selection.limit', limit, 1, LIMITS.pieceJobsMax);
  if (cursor !== undefined) checkText('selection.cursor', cursor, LIMITS.searchTextBytesMax);
  return { all: { state: stateOf(state), ...more }, asOf, limit, ...(cursor === undefined ? {} : { cursor }) };
}

function stateOf(state: JobFilter['state']) {
  if (state !== undefined) return state;
  throw new InvalidArgumentError('selection.all.state', state, `one of ${JOB_STATES.join(', ')}`);
}

function checkedIds(ids: readonly string[]): string[] {
  checkItems('selection.ids', ids);
  for (const [index, id] of ids.entries()) {
    if (typeof id !== 'string') throw new InvalidArgumentError(`selection.ids[${index}]`, id, 'a job id');
  }
  return [...ids];
}

/** What is planned: jobs by id, or all that match. */
export function checkedPlanned(planned: PlanRequest): PlanRequest {
  if (typeof planned !== 'object' || planned === null) {
    throw new InvalidArgumentError('plan', planned, '{ ids } or { all }');
  }
  return 'ids' in planned ? { ids: checkedIds(planned.ids) } : { all: checkedFilter(planned.all, 'plan.all') };
}

export function checkedDeadGroupFilter(filter: DeadGroupFilter): DeadGroupFilter {
  const { queue, name, errorClass, text, firstDeadFromMs, ...more } = filter;
  for (const [field, value] of Object.entries(more)) checkField(`filter.${field}`, 'unknown', value);
  if (text !== undefined) checkText('filter.text', text, LIMITS.searchTextBytesMax);
  if (firstDeadFromMs !== undefined) checkWhole('filter.firstDeadFromMs', firstDeadFromMs, 0, LIMITS.runAtMsMax);
  return {
    ...checkedFilter({
      ...(queue === undefined ? {} : { queue }),
      ...(name === undefined ? {} : { name }),
      ...(errorClass === undefined ? {} : { errorClass }),
    }),
    ...(text === undefined ? {} : { text }),
    ...(firstDeadFromMs === undefined ? {} : { firstDeadFromMs }),
  };
}
