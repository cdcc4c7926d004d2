import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Problem } from '@holdfast/contract';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { AdminReply } from './admin-reply.js';
import { type AdminRequest, frameworkRequestId, rawPath } from './admin-request.js';
import { plainPage } from './plain-page.js';
import { explain } from './refusal.js';

/**
 * Catches all that is thrown on the way to a handler of this module and in it, also by guards of the application. Bound to
 * these controllers only. The log gets the cause, the client an explanation that was written for it.
 */
abstract class RefusalFilter implements ExceptionFilter {
  protected readonly reply: AdminReply;
  readonly #logger = new Logger('HoldfastAdmin');

  constructor(reply: AdminReply) {
    this.reply = reply;
  }

  protected abstract answer(response: unknown, problem: Problem): void;

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.refuse(http.getRequest<AdminRequest>(), http.getResponse<unknown>(), thrown);
  }

  /** Also for what the framework refuses before Nest knows of the request. */
  refuse(request: AdminRequest, response: unknown, thrown: unknown): void {
    const explanation = explain(thrown);
    const problem: Problem = {
      type: 'about:blank',
      title: STATUS_CODES[explanation.status] ?? 'Error',
      ...explanation,
      requestId: frameworkRequestId(request) ?? randomUUID(),
    };
    this.#log(request, problem, thrown);
    if (!this.reply.isSent(response)) this.answer(response, problem);
  }

  #log(request: AdminRequest, problem: Problem, thrown: unknown): void {
    // Without the query, which may hold what nobody should read in a log.
    const place = `${request.method} ${JSON.stringify(rawPath(request).slice(0, 200))}`;
    const line = `${place}: ${problem.status} ${problem.code}, request ${problem.requestId}`;
    if (problem.status >= 500 && problem.code !== 'DASHBOARD_NOT_BUILT') {
      this.#logger.error(line, thrown instanceof Error ? causes(thrown) : String(thrown));
    } else if (request.method === 'GET') {
      this.#logger.debug(`${line}: ${problem.detail}`);
    } else {
      this.#logger.warn(`${line}: ${problem.detail}`);
    }
  }
}

/** The stack of an error and of what caused it. */
function causes(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\ncaused by ${error.cause.stack ?? error.cause.message}` : stack;
}

/** For the API: problem details as JSON. */
@Catch()
export class ProblemFilter extends RefusalFilter {
  constructor(reply: AdminReply) {
    super(reply);
  }

  protected override answer(response: unknown, problem: Problem): void {
    this.reply.problem(response, problem);
  }
}

/** For the page and its files: a small page in plain words. */
@Catch()
export class PageFilter extends RefusalFilter {
  constructor(reply: AdminReply) {
    super(reply);
  }

  protected override answer(response: unknown, problem: Problem): void {
    this.reply.plainPage(response, problem.status, plainPage(problem));
  }
}
