import type { NewJobRow, PlacedRow } from '@holdfast/sql-store';
import { ABSENT_IF_ALIKE, ALIKE_COLUMNS } from './sql/enqueue-jobs.js';
import { isStoredAsGiven } from './stored-text.js';
import { textArray } from './text-array.js';

const ABSENT = [...ABSENT_IF_ALIKE];

/** The values for jobs that differ in nothing but their texts and can start at once, as most of a bulk do. `undefined` for any others. */
export function alikeValues(jobs: readonly NewJobRow[]): readonly unknown[] | undefined {
  const [first] = jobs;
  if (first === undefined || ABSENT.some((column) => first[column])) return undefined;
  if (!jobs.every((job) => job === first || isAlike(job, first))) return undefined;
  const texts = jobs.map(({ payload_text }) => payload_text ?? '');
  // The size is that of the text as it was given, and the database sees it as it is stored.
  if (!texts.every(isStoredAsGiven)) return undefined;
  return [textArray(texts), ...ALIKE_COLUMNS.map((column) => first[column])];
}

function isAlike(job: NewJobRow, first: NewJobRow): boolean {
  return ALIKE_COLUMNS.every((column) => job[column] === first[column]) && ABSENT.every((column) => !job[column]);
}

/** What `ENQUEUE_ALIKE` answers: the first of numbers that follow each other, or all of them. */
export function alikePlaced({ numbers }: { readonly numbers: string }, jobs: readonly NewJobRow[]): PlacedRow[] {
  const given = numbersOf(numbers);
  return jobs.map(({ queue_id }, index) => {
    return { number: numbers.startsWith('{') ? given[index]! : given[0]! + index, queue_id, waits_ms: 0 };
  });
}

/** Of a text as the database writes an array of whole numbers, or one. */
export function numbersOf(text: string): number[] {
  const list = text.startsWith('{') ? text.slice(1, -1) : text;
  return list === '' ? [] : list.split(',').map(Number);
}
