import { type HistogramName, JOB_STATES } from '@holdfast/contract';
import { HISTOGRAM_NAMES, STORE_LIMITS } from '@holdfast/contract/rules';
import { z } from 'zod';
import { Refusal } from './refusal.js';

/*
 * What every route takes. The same schemas check the requests and make the OpenAPI document, so neither can say what the other does not.
 */

const NAME_LENGTH_MAX = 255;
const ID_LENGTH_MAX = 200;
const CURSOR_LENGTH_MAX = 1000;
const SEARCH_LENGTH_MAX = 500;
const PAGE_ROWS_MAX = 200;
const IDS_MAX = 1000;
const REASON_LENGTH_MAX = 500;
const PLAN_ID_LENGTH_MAX = 200_000;
const RATE_MAX = 10_000;
const PAYLOAD_LENGTH_MAX = STORE_LIMITS.payloadBytesMax;

function text(lengthMax: number) {
  const error = `must be a text of 1 to ${lengthMax} characters`;
  return z.string({ error }).min(1, { error }).max(lengthMax, { error });
}

/** A whole number as a query writes it. */
function digits(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string({ error })
    .regex(/^[0-9]{1,16}$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
}

function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

const state = z.enum(JOB_STATES, { error: `must be one of ${JOB_STATES.join(', ')}` });
const timeMsMax = STORE_LIMITS.runAtMsMax;

const PAGE = {
  limit: digits(1, PAGE_ROWS_MAX).exactOptional(),
  cursor: text(CURSOR_LENGTH_MAX).exactOptional(),
};

export const PAGE_QUERY = z.strictObject(PAGE);

/** Texts of a filter: the same in a query and in a body. */
const FILTER_TEXTS = {
  state: state.exactOptional(),
  queue: text(NAME_LENGTH_MAX).exactOptional(),
  name: text(NAME_LENGTH_MAX).exactOptional(),
  id: text(ID_LENGTH_MAX).exactOptional(),
  errorClass: text(NAME_LENGTH_MAX).exactOptional(),
  errorText: text(SEARCH_LENGTH_MAX).exactOptional(),
  errorFingerprint: text(ID_LENGTH_MAX).exactOptional(),
};

export const JOBS_QUERY = z
  .strictObject({
    ...FILTER_TEXTS,
    attemptsMin: digits(0, STORE_LIMITS.maxAttemptsMax).exactOptional(),
    enqueuedFromMs: digits(0, timeMsMax).exactOptional(),
    enqueuedBeforeMs: digits(0, timeMsMax).exactOptional(),
    updatedFromMs: digits(0, timeMsMax).exactOptional(),
    updatedBeforeMs: digits(0, timeMsMax).exactOptional(),
    olderThanMs: digits(0, timeMsMax).exactOptional(),
    payloadPath: text(SEARCH_LENGTH_MAX).exactOptional(),
    payloadValue: z.string().max(SEARCH_LENGTH_MAX).exactOptional(),
    scanMax: digits(1, STORE_LIMITS.pageScanMax).exactOptional(),
    ...PAGE,
  })
  .refine(({ payloadPath, payloadValue }) => (payloadPath === undefined) === (payloadValue === undefined), {
    path: ['payloadPath'],
    error: 'and payloadValue must be given together',
  });

export const DEAD_GROUPS_QUERY = z.strictObject({
  queue: text(NAME_LENGTH_MAX).exactOptional(),
  name: text(NAME_LENGTH_MAX).exactOptional(),
  errorClass: text(NAME_LENGTH_MAX).exactOptional(),
  text: text(SEARCH_LENGTH_MAX).exactOptional(),
  firstDeadFromMs: digits(0, timeMsMax).exactOptional(),
  ...PAGE,
});

const STEPS_ERROR = 'must be 1000, 10000 or 60000';
const STEPS = { '1000': 1000, '10000': 10_000, '60000': 60_000 } as const;

export const LATENCY_QUERY = z.strictObject({
  measure: z.enum(HISTOGRAM_NAMES as [HistogramName, ...HistogramName[]], {
    error: `must be one of ${HISTOGRAM_NAMES.join(', ')}`,
  }),
  stepMs: z.enum(['1000', '10000', '60000'], { error: STEPS_ERROR }).transform((step) => STEPS[step]),
  fromMs: digits(0, timeMsMax).exactOptional(),
});

const IDS_ERROR = `must be a list of 1 to ${IDS_MAX} job ids`;
const REASON_ERROR = `must be a text of at most ${REASON_LENGTH_MAX} characters`;
const BODY_ERROR = { error: 'must be a JSON object' };

const reason = z.string({ error: REASON_ERROR }).max(REASON_LENGTH_MAX, { error: REASON_ERROR });
const ids = z
  .array(text(ID_LENGTH_MAX), { error: IDS_ERROR })
  .min(1, { error: IDS_ERROR })
  .max(IDS_MAX, { error: IDS_ERROR });

export const REDRIVES_BODY = z
  .strictObject(
    {
      ids: ids.exactOptional(),
      allDead: z
        .strictObject(
          { queue: text(NAME_LENGTH_MAX).exactOptional() },
          { error: 'must be an object, empty or with a queue' },
        )
        .exactOptional(),
      reason: reason.exactOptional(),
    },
    BODY_ERROR,
  )
  .refine((body) => (body.ids === undefined) !== (body.allDead === undefined), {
    path: ['ids'],
    error: 'or allDead must be given, one of the two',
  });

const priority = whole(0, STORE_LIMITS.priorityMax);
const queueName = text(NAME_LENGTH_MAX);

export const JOB_ACT_BODY = z.strictObject({ reason: reason.exactOptional() }, BODY_ERROR);
export const REPRIORITISE_BODY = z.strictObject({ priority, reason: reason.exactOptional() }, BODY_ERROR);
export const TRANSFER_BODY = z.strictObject({ queue: queueName, reason: reason.exactOptional() }, BODY_ERROR);
export const CLONE_BODY = z.strictObject(
  {
    payload: z.string().max(PAYLOAD_LENGTH_MAX).exactOptional(),
    reason: reason.exactOptional(),
    requestId: text(ID_LENGTH_MAX).exactOptional(),
  },
  BODY_ERROR,
);
export const QUEUE_PAUSE_BODY = z.strictObject(
  {
    queue: text(NAME_LENGTH_MAX),
    forMs: whole(1, STORE_LIMITS.delayMsMax).exactOptional(),
    reason: reason.exactOptional(),
  },
  BODY_ERROR,
);
export const QUEUE_RESUME_BODY = z.strictObject(
  { queue: text(NAME_LENGTH_MAX), reason: reason.exactOptional() },
  BODY_ERROR,
);

const FILTER_ERROR = { error: 'must be an object with fields of a filter' };

export const FILTER = z.strictObject(
  {
    ...FILTER_TEXTS,
    attemptsMin: whole(0, STORE_LIMITS.maxAttemptsMax).exactOptional(),
    enqueuedFromMs: whole(0, timeMsMax).exactOptional(),
    enqueuedBeforeMs: whole(0, timeMsMax).exactOptional(),
    updatedFromMs: whole(0, timeMsMax).exactOptional(),
    updatedBeforeMs: whole(0, timeMsMax).exactOptional(),
    payload: z
      .strictObject({ path: text(SEARCH_LENGTH_MAX), value: z.string().max(SEARCH_LENGTH_MAX) })
      .exactOptional(),
  },
  FILTER_ERROR,
);

const ACT_ERROR =
  'must be redrive, runNow, cancel, remove, drain, reprioritise with a priority, or transfer with a queue';
const bulkAct = z.union(
  [
    z.strictObject({ kind: z.enum(['redrive', 'runNow', 'cancel', 'remove', 'drain']) }),
    z.strictObject({ kind: z.literal('reprioritise'), priority }),
    z.strictObject({ kind: z.literal('transfer'), queue: queueName }),
  ],
  { error: ACT_ERROR },
);
const bulkSelection = z.union([z.strictObject({ ids }), z.strictObject({ filter: FILTER })], {
  error: `must be { ids } with 1 to ${IDS_MAX} job ids, or { filter }`,
});

export const BULK_PLAN_BODY = z
  .strictObject({ act: bulkAct, selection: bulkSelection }, BODY_ERROR)
  .refine(({ act, selection }) => act.kind !== 'drain' || isQueueAlone(selection), {
    path: ['selection'],
    error: 'of a drain must be a filter that names a queue and nothing else',
  });

export const BULK_OPERATION_BODY = z.strictObject(
  {
    planId: text(PLAN_ID_LENGTH_MAX),
    ratePerSecond: whole(1, RATE_MAX).exactOptional(),
    reason: reason.exactOptional(),
    requestId: text(ID_LENGTH_MAX).exactOptional(),
  },
  BODY_ERROR,
);

/** What a plan id holds: a plan that was made is checked as if it were typed in. */
export const PLAN = z.strictObject({
  target: BULK_PLAN_BODY,
  asOf: text(SEARCH_LENGTH_MAX),
  planned: whole(0, Number.MAX_SAFE_INTEGER),
  expiresAtMs: whole(0, timeMsMax),
});

export type Plan = z.output<typeof PLAN>;

function isQueueAlone(selection: z.output<typeof bulkSelection>): boolean {
  return 'filter' in selection && Object.keys(selection.filter).join() === 'queue';
}

/** The value as the schema describes it. @throws Refusal 400 that names the first field that is wrong. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown, ofWhat: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const field = fieldName([...issue.path, issue.keys[0] ?? ''], ofWhat);
    throw new Refusal(400, 'INVALID_REQUEST', `${field} is not known here. Nothing was changed.`, field);
  }
  const field = fieldName(issue.path, ofWhat);
  throw new Refusal(400, 'INVALID_REQUEST', `${field} ${issue.message}. Nothing was changed.`, field);
}

function fieldName(path: readonly PropertyKey[], ofWhat: string): string {
  return path.length === 0 ? ofWhat : path.map(String).join('.').slice(0, 80);
}
