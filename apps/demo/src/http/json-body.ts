import { type IncomingMessage, type ServerResponse } from 'node:http';
import { PayloadTooLargeException } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { RefusedInputError } from './refused-input.error.js';

/**
 * Far more than an order needs, so that a field which is much too long is still refused by its name. What is larger
 * than this is refused unread.
 */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** Bodies are JSON or are refused in words that name the body. Call it before the app is initialised. */
export function readJsonBodies(app: NestExpressApplication): void {
  // Not strict: `null` and `"rope"` are JSON, and what is wrong with them is for the form to say.
  app.useBodyParser('json', { limit: BODY_BYTES_MAX, strict: false });
  app.use(refuseUnreadableBody);
}

/** Express knows by the four parameters that this handles errors. */
function refuseUnreadableBody(
  error: unknown,
  _request: IncomingMessage,
  _response: ServerResponse,
  next: (error: unknown) => void,
): void {
  next(isParserError(error) ? refusalFor(error) : error);
}

/** Without a type it comes from below the parser: a body that is not compressed as it says. */
interface ParserError extends Error {
  readonly type?: string;
  readonly status: number;
}

function isParserError(error: unknown): error is ParserError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

function refusalFor(error: ParserError): Error {
  if (error.status === 413) {
    const limit = `${BODY_BYTES_MAX / 1024 / 1024} MB`;
    return new PayloadTooLargeException(
      `The body is larger than the ${limit} that the shop reads. Nothing was stored.`,
    );
  }
  const problem =
    error.type === 'entity.parse.failed' ? `must be JSON: ${error.message}` : `is unreadable: ${error.message}`;
  return new RefusedInputError([{ field: 'body', problem }]);
}
