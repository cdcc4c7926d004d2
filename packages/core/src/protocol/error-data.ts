import {
  type CallOutcome,
  CursorInvalidError,
  HoldfastError,
  type HoldfastErrorCode,
  InvalidArgumentError,
  InvalidJobError,
  LogCorruptError,
  LogVersionError,
  RequestMismatchError,
  SnapshotFailedError,
  StoreClosedError,
  StoreFailedError,
  StoreFullError,
  StoreLockedError,
  StoreOpenError,
  StoreReadOnlyError,
} from '@holdfast/contract';

/** An error as plain data. Structured clone keeps neither the class nor the fields of an error. */
export interface ErrorData {
  readonly class: string;
  readonly code: HoldfastErrorCode;
  readonly outcome: CallOutcome;
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number | undefined>>;
  /** Message of the cause, for people. */
  readonly cause?: string;
}

const CLASSES = new Map(
  [
    CursorInvalidError,
    HoldfastError,
    InvalidArgumentError,
    InvalidJobError,
    LogCorruptError,
    LogVersionError,
    RequestMismatchError,
    SnapshotFailedError,
    StoreClosedError,
    StoreFailedError,
    StoreFullError,
    StoreLockedError,
    StoreOpenError,
    StoreReadOnlyError,
  ].map((errorClass) => [errorClass.name, errorClass.prototype] as const),
);

/** Anything that is not a Holdfast error is a bug on this side: its caller is told that the store failed. */
export function toErrorData(thrown: unknown): ErrorData {
  const error =
    thrown instanceof HoldfastError
      ? thrown
      : new StoreFailedError('unknown', `The engine met an error of its own: ${messageOf(thrown)}.`, { cause: thrown });
  return {
    class: error.name,
    code: error.code,
    outcome: error.outcome,
    message: error.message,
    fields: fieldsOf(error),
    ...(error.cause === undefined ? {} : { cause: messageOf(error.cause) }),
  };
}

/** The same error again: its class, code, outcome, message and fields. Its stack is that of this side. */
export function fromErrorData(data: ErrorData): HoldfastError {
  const options = data.cause === undefined ? undefined : { cause: new Error(data.cause) };
  const error = new HoldfastError(data.code, data.outcome, data.message, options);
  // The constructors of the classes write their own messages, so the instance is made first and then given its class.
  Object.setPrototypeOf(error, CLASSES.get(data.class) ?? HoldfastError.prototype);
  return Object.assign(error, data.fields, { name: data.class });
}

const IN_EVERY_ERROR = new Set(['name', 'code', 'outcome', 'message', 'stack', 'cause']);

function fieldsOf(error: HoldfastError): ErrorData['fields'] {
  const fields: Record<string, string | number | undefined> = {};
  for (const [name, value] of Object.entries(error)) {
    if (IN_EVERY_ERROR.has(name)) continue;
    if (typeof value === 'string' || typeof value === 'number' || value === undefined) fields[name] = value;
  }
  return fields;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
