import { HoldfastError, type HoldfastErrorCode, type Problem } from '@holdfast/contract';
import { HttpException } from '@nestjs/common';

/** Codes of refusals that this module decides itself. */
export type RefusalCode =
  | 'INVALID_REQUEST'
  | 'ACCESS_CLOSED'
  | 'ACCESS_DENIED'
  | 'ROLE_TOO_LOW'
  | 'CROSS_SITE_REQUEST'
  | 'NOT_JSON'
  | 'BODY_TOO_LARGE'
  | 'JOB_NOT_FOUND'
  | 'JOB_STATE'
  | 'CLONE_OFF'
  | 'OWN_QUEUE'
  | 'NOT_SUPPORTED'
  | 'FIELD_REDACTED'
  | 'NO_RESULT'
  | 'PLAN_INVALID'
  | 'PLAN_EXPIRED'
  | 'OPERATION_NOT_FOUND'
  | 'OPERATION_OVER'
  | 'REQUEST_MISMATCH'
  | 'REQUEST_UNFINISHED'
  | 'TOO_MANY_REQUESTS'
  | 'TOO_MANY_STREAMS'
  | 'ROUTE_NOT_FOUND'
  | 'FILE_NOT_FOUND'
  | 'DASHBOARD_NOT_BUILT';

/** A request that is refused, with all that the client may know about it. The message is shown to people. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly field: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: RefusalCode, message: string, field?: string, retryAfterMs?: number) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.field = field;
    this.retryAfterMs = retryAfterMs;
  }
}

export function noSuchJob(): Refusal {
  return new Refusal(404, 'JOB_NOT_FOUND', 'The store does not know this job, or does not keep it any more.');
}

/** A part of the API that the application's store has nothing for. */
export function unsupported(what: string): Refusal {
  return new Refusal(501, 'NOT_SUPPORTED', `The store of this application has no ${what}.`);
}

/** Total on purpose: a code that is added to the contract does not compile without its status. */
const STATUS_OF: Record<HoldfastErrorCode, number> = {
  INVALID_ARGUMENT: 400,
  INVALID_JOB: 400,
  REQUEST_MISMATCH: 409,
  PAYLOAD_NOT_JSON: 400,
  PAYLOAD_UNSUPPORTED: 400,
  INVALID_PAYLOAD: 400,
  CURSOR_INVALID: 400,
  STORE_CLOSED: 503,
  STORE_FAILED: 503,
  STORE_FULL: 507,
  STORE_LOCKED: 503,
  STORE_READ_ONLY: 403,
  STORE_OPEN_FAILED: 503,
  LOG_CORRUPT: 503,
  SNAPSHOT_FAILED: 503,
  MOVE_REFUSED: 409,
  MOVE_INTERRUPTED: 503,
  LOG_VERSION: 503,
  WORKER_CLOSED: 503,
  UNRECOVERABLE: 500,
  RETRY_AFTER: 500,
  SNOOZE: 500,
  CANCEL_JOB: 500,
  JOB_TIMEOUT: 500,
  JOB_NOT_COMPLETED: 500,
  HANDLER_ENDED: 500,
  JOB_ABORTED: 500,
  NO_HANDLER: 500,
  DUPLICATE_HANDLER: 500,
  OUTBOX_FAILED: 500,
  OUTBOX_ROW_REFUSED: 500,
  QUEUE_NOT_REGISTERED: 500,
  QUEUE_CONFLICT: 500,
  CONNECTION_NOT_FOUND: 500,
  SEVERAL_ROOTS: 500,
  STORE_TAKEN_OVER: 500,
};

const UNEXPECTED = 'Something failed on the server. Its log has the cause under this request id.';

export type Explanation = Pick<Problem, 'status' | 'code' | 'detail' | 'field' | 'retryAfterMs'>;

/** What a client is told about anything thrown: never more than a message that was written for it. */
export function explain(thrown: unknown): Explanation {
  if (thrown instanceof Refusal) {
    const { status, code, message, field, retryAfterMs } = thrown;
    return {
      ...{ status, code, detail: message },
      ...(field === undefined ? {} : { field }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
  if (thrown instanceof HoldfastError) {
    const status = STATUS_OF[thrown.code] ?? 500;
    return { status, code: thrown.code, detail: status === 500 ? UNEXPECTED : thrown.message };
  }
  if (thrown instanceof HttpException) {
    const status = thrown.getStatus();
    return { status, code: 'REFUSED_BY_APPLICATION', detail: status >= 500 ? UNEXPECTED : thrown.message };
  }
  return { status: 500, code: 'INTERNAL', detail: UNEXPECTED };
}
