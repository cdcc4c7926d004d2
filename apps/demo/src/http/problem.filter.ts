import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { type FieldProblem, RefusedInputError } from './refused-input.error.js';

/** An error answer: RFC 9457 problem details, and the fields that were refused. */
interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  readonly fields?: readonly FieldProblem[];
}

/** Answers every error of the shop as a problem. What the shop did not expect is logged, and shown without details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger = new Logger('Shop');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse>();
    const problem: Problem = { ...describe(error), requestId: randomUUID() };
    if (problem.status >= 500) this.#logger.error(`${problem.requestId}: ${textForLog(error)}`);
    // The answer has begun: cut it off, so that the client does not take half of it for the whole.
    if (response.headersSent) response.destroy();
    else send(response, problem);
  }
}

function send(response: ServerResponse, problem: Problem): void {
  response.statusCode = problem.status;
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.end(JSON.stringify(problem));
}

function describe(error: unknown): Omit<Problem, 'requestId'> {
  if (error instanceof RefusedInputError) {
    const detail = `${error.message}. Nothing was stored.`;
    return { ...titled(400), detail, code: 'INPUT_REFUSED', fields: error.fields };
  }
  if (error instanceof HttpException && error.getStatus() < 500) {
    return { ...titled(error.getStatus()), detail: error.message, code: 'REFUSED' };
  }
  const detail = 'The shop failed to do that. Its log says why, under the requestId of this answer.';
  return { ...titled(error instanceof HttpException ? error.getStatus() : 500), detail, code: 'FAILED' };
}

function titled(status: number) {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status };
}

function textForLog(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
