import { JOB_STATES } from '@holdfast/contract';
import { z } from 'zod';
import { Refusal } from './refusal.js';

const NAME_LENGTH_MAX = 255;
const ID_LENGTH_MAX = 200;
const CURSOR_LENGTH_MAX = 1000;
const PAGE_ROWS_MAX = 200;
const REDRIVE_IDS_MAX = 1000;
const REASON_LENGTH_MAX = 500;

function text(lengthMax: number) {
  const error = `must be a text of 1 to ${lengthMax} characters`;
  return z.string({ error }).min(1, { error }).max(lengthMax, { error });
}

const pageRows = (() => {
  const error = `must be a whole number from 1 to ${PAGE_ROWS_MAX}`;
  return z
    .string({ error })
    .regex(/^[0-9]{1,3}$/, { error })
    .transform(Number)
    .refine((rows) => rows >= 1 && rows <= PAGE_ROWS_MAX, { error });
})();

export const JOBS_QUERY = z.strictObject({
  state: z.enum(JOB_STATES, { error: `must be one of ${JOB_STATES.join(', ')}` }).exactOptional(),
  queue: text(NAME_LENGTH_MAX).exactOptional(),
  name: text(NAME_LENGTH_MAX).exactOptional(),
  limit: pageRows.exactOptional(),
  cursor: text(CURSOR_LENGTH_MAX).exactOptional(),
});

const IDS_ERROR = `must be a list of 1 to ${REDRIVE_IDS_MAX} job ids`;
const REASON_ERROR = `must be a text of at most ${REASON_LENGTH_MAX} characters`;

export const REDRIVES_BODY = z
  .strictObject(
    {
      ids: z
        .array(text(ID_LENGTH_MAX), { error: IDS_ERROR })
        .min(1, { error: IDS_ERROR })
        .max(REDRIVE_IDS_MAX, { error: IDS_ERROR })
        .exactOptional(),
      allDead: z
        .strictObject(
          { queue: text(NAME_LENGTH_MAX).exactOptional() },
          { error: 'must be an object, empty or with a queue' },
        )
        .exactOptional(),
      reason: z.string({ error: REASON_ERROR }).max(REASON_LENGTH_MAX, { error: REASON_ERROR }).exactOptional(),
    },
    { error: 'must be a JSON object' },
  )
  .refine((body) => (body.ids === undefined) !== (body.allDead === undefined), {
    path: ['ids'],
    error: 'or allDead must be given, one of the two',
  });

/** The value as the schema describes it. @throws Refusal 400 that names the first field that is wrong. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const field = fieldName([...issue.path, issue.keys[0] ?? ''], whole);
    throw new Refusal(400, 'INVALID_REQUEST', `${field} is not known here. Nothing was changed.`, field);
  }
  const field = fieldName(issue.path, whole);
  throw new Refusal(400, 'INVALID_REQUEST', `${field} ${issue.message}. Nothing was changed.`, field);
}

function fieldName(path: readonly PropertyKey[], whole: string): string {
  return path.length === 0 ? whole : path.map(String).join('.').slice(0, 80);
}
