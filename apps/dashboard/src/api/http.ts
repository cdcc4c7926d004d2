import type { ServerTime } from '@holdfast/contract';
import { apiUrl, type QueryParameters } from '../mount.js';
import { ApiProblem, late, problemOf, signedOut, unreachable } from './problem.js';
import { serverClock } from './server-clock.js';

/** A look that has taken so long is given up: whoever waits is told, and the next one may be answered. */
export const LOOK_MS_MAX = 30_000;
/** An act over very many jobs may take its time. */
export const ACT_MS_MAX = 120_000;

/** @throws ApiProblem for every failure but an abort. */
export function getJson<Answer extends ServerTime>(
  segments: readonly string[],
  parameters: QueryParameters,
  signal: AbortSignal,
): Promise<Answer> {
  return request<Answer>(apiUrl(segments, parameters), {}, LOOK_MS_MAX, signal);
}

/**
 * The header marks the request as the dashboard's own: no form on another site can send it.
 * @throws ApiProblem for every failure.
 */
export function postJson<Answer extends ServerTime>(segments: readonly string[], body: unknown): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1' };
  return request<Answer>(apiUrl(segments), { method: 'POST', headers, body: JSON.stringify(body) }, ACT_MS_MAX);
}

async function request<Answer extends ServerTime>(
  url: URL,
  init: RequestInit,
  waitMs: number,
  given?: AbortSignal,
): Promise<Answer> {
  const sentAtMs = serverClock.localNow();
  const wait = boundedWait(waitMs, given);
  try {
    const response = await fetch(url, {
      ...init,
      ...{ signal: wait.signal, credentials: 'same-origin', cache: 'no-store', redirect: 'manual' },
    });
    if (isElsewhere(response)) throw signedOut();
    if (!response.ok) throw await problemOf(response);
    const answer = (await response.json()) as Answer;
    serverClock.observe(answer.serverTimeMs, sentAtMs, serverClock.localNow());
    return answer;
  } catch (error) {
    if (error instanceof ApiProblem || given?.aborted === true) throw error;
    throw wait.signal.aborted ? late(waitMs) : unreachable(error);
  } finally {
    wait.end();
  }
}

/** Aborts after a while, or when the given signal does. Made by hand: not every browser that shows the rest has `AbortSignal.any`. */
function boundedWait(waitMs: number, given?: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, waitMs);
  given?.addEventListener('abort', abort);
  if (given?.aborted === true) abort();
  const end = () => {
    clearTimeout(timer);
    given?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, end };
}

/** The API leads nowhere and answers with no page. Whoever stands before it does, when a session has ended. */
function isElsewhere(response: Response): boolean {
  if (response.type === 'opaqueredirect') return true;
  return response.ok && /^text\/html\b/i.test(response.headers.get('Content-Type') ?? '');
}
