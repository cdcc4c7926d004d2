import type { ServerResponse } from 'node:http';
import type { Clock, Problem, ServerTime, StoreHealth } from '@holdfast/contract';
import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ADMIN_CLOCK } from './admin-clock.js';
import type { DashboardFile } from './dashboard-files.js';
import { PLAIN_PAGE_STYLE_HASH } from './plain-page.js';
import { overviewText } from './queue-looks.js';
import { DASHBOARD_HEADERS, DATA_HEADERS, plainPageHeaders } from './security-headers.js';

/**
 * Writes answers straight to the response of either framework. Handlers do not return their answers, because an interceptor
 * that wraps every result of the application in an envelope would break the dashboard.
 */
@Injectable()
export class AdminReply {
  readonly #host: HttpAdapterHost;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(host: HttpAdapterHost, @Inject(ADMIN_CLOCK) clock: Pick<Clock, 'now'>) {
    this.#host = host;
    this.#clock = clock;
  }

  json<Answer extends ServerTime>(response: unknown, answer: Omit<Answer, 'serverTimeMs'>, status = 200): void {
    const body = JSON.stringify({ serverTimeMs: this.#clock.now(), ...answer });
    this.#send(response, status, { ...DATA_HEADERS, ...uncached('application/json; charset=utf-8') }, body);
  }

  /** The queues are text already: the same for all who look at about the same time. */
  overview(response: unknown, health: StoreHealth, queues: string): void {
    const body = overviewText(this.#clock.now(), health, queues);
    this.#send(response, 200, { ...DATA_HEADERS, ...uncached('application/json; charset=utf-8') }, body);
  }

  problem(response: unknown, problem: Problem): void {
    const { retryAfterMs } = problem;
    const wait = retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) };
    const headers = { ...DATA_HEADERS, ...wait, ...uncached('application/problem+json; charset=utf-8') };
    this.#send(response, problem.status, headers, JSON.stringify(problem));
  }

  /** JSON that is the same for everyone. */
  document(response: unknown, json: string): void {
    this.#send(response, 200, { ...DATA_HEADERS, ...uncached('application/json; charset=utf-8') }, json);
  }

  /** Bytes that a browser saves and never shows. */
  download(response: unknown, name: string, bytes: Buffer, isText: boolean): void {
    const type = isText ? 'text/plain; charset=utf-8' : 'application/octet-stream';
    const headers = { ...DATA_HEADERS, ...uncached(type), 'Content-Disposition': `attachment; filename="${name}"` };
    this.#send(response, 200, headers, new StreamableFile(bytes, { length: bytes.byteLength }));
  }

  /** Takes the response over from the framework, for server-sent events. */
  eventStream(response: unknown): ServerResponse {
    const { raw, hijack } = response as { raw?: ServerResponse; hijack?: () => void };
    hijack?.call(response);
    const stream = raw ?? (response as ServerResponse);
    stream.writeHead(200, {
      ...DATA_HEADERS,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    return stream;
  }

  dashboard(response: unknown, html: string): void {
    this.#send(response, 200, { ...DASHBOARD_HEADERS, ...uncached('text/html; charset=utf-8') }, html);
  }

  plainPage(response: unknown, status: number, html: string): void {
    const headers = { ...plainPageHeaders(PLAIN_PAGE_STYLE_HASH), ...uncached('text/html; charset=utf-8') };
    this.#send(response, status, headers, html);
  }

  file(response: unknown, file: DashboardFile, ifNoneMatch: string | undefined): void {
    const headers = { ...DATA_HEADERS, 'Content-Type': file.type, 'Cache-Control': file.cacheControl, ETag: file.etag };
    if (ifNoneMatch?.includes(file.etag)) this.#send(response, 304, headers, undefined);
    else this.#send(response, 200, headers, new StreamableFile(file.bytes, { length: file.bytes.byteLength }));
  }

  /** Whether somebody else, such as a guard that redirects to a login page, has answered already. */
  isSent(response: unknown): boolean {
    return this.#host.httpAdapter.isHeadersSent(response) === true;
  }

  #send(response: unknown, status: number, headers: Readonly<Record<string, string>>, body: unknown): void {
    const { httpAdapter } = this.#host;
    for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value);
    httpAdapter.reply(response, body, status);
  }
}

function uncached(type: string): Readonly<Record<string, string>> {
  return { 'Content-Type': type, 'Cache-Control': 'no-store' };
}
