import { HoldfastError } from '@holdfast/contract';

/** The database or the store failed. No row is lost: all that were not carried over for certain are tried again, under the same request ids. */
export class OutboxFailedError extends HoldfastError {
  readonly queue: string;

  constructor(queue: string, cause: unknown) {
    super(
      'OUTBOX_FAILED',
      'unknown',
      `The outbox of the queue ${JSON.stringify(queue)} was not carried over: ${reasonOf(cause)} Its rows are kept and tried again, at least every 5 ` +
        'seconds; this is not told again before it has succeeded. See that the database and the store can be reached.',
      { cause },
    );
    this.queue = queue;
  }
}

/** The queue does not take a row as it is. It stays in the table, marked, and those behind it go on. */
export class OutboxRowRefusedError extends HoldfastError {
  readonly queue: string;
  readonly requestId: string;
  readonly jobName: string;
  /** What the queue has against it: what is kept beside the row. */
  readonly because: string;

  constructor(queue: string, row: { readonly requestId: string; readonly name: string }, cause: unknown) {
    const because = reasonOf(cause);
    super(
      'OUTBOX_ROW_REFUSED',
      'rejected',
      `The queue ${JSON.stringify(queue)} does not take the ${JSON.stringify(row.name)} job of the outbox with the request id ${row.requestId}: ${because} The ` +
        `row is kept, with this in its column "refused". ${nextStepOf(cause)}`,
      { cause },
    );
    this.queue = queue;
    this.requestId = row.requestId;
    this.jobName = row.name;
    this.because = because;
  }
}

/** A row whose request is known was carried before; what the queue adds by itself was another then. Nothing that is tried again mends that. */
function nextStepOf(cause: unknown): string {
  if (cause instanceof HoldfastError && cause.code === 'REQUEST_MISMATCH') {
    return (
      'Its request was stored before: mostly this row, which could not be deleted then, under other defaults of the queue. In that case the job is in the queue: delete the row. ' +
      'Where you give out request ids yourself, and this one belongs to another job, give the row a new one and set "refused" to null.'
    );
  }
  return 'Mend or delete it; set "refused" to null to have it tried at once.';
}

/** A sentence. An error of many, as for an address that stands for two, may have no message of its own. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || ownCode(error) : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function ownCode(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}
