import type { ServerTime } from '@holdfast/contract';
import { apiUrl, type QueryParameters } from '../mount.js';
import { ApiProblem, problemOf, signedOut, unreachable } from './problem.js';
import { serverClock } from './server-clock.js';

/** @throws ApiProblem for every failure but an abort. */
export function getJson<Answer extends ServerTime>(
  segments: readonly string[],
  parameters: QueryParameters,
  signal: AbortSignal,
): Promise<Answer> {
  return request<Answer>(apiUrl(segments, parameters), { signal });
}

/**
 * The header marks the request as the dashboard's own: no form on another site can send it.
 * @throws ApiProblem for every failure.
 */
export function postJson<Answer extends ServerTime>(segments: readonly string[], body: unknown): Promise<Answer> {
  return request<Answer>(apiUrl(segments), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1' },
    body: JSON.stringify(body),
  });
}

async function request<Answer extends ServerTime>(url: URL, init: RequestInit): Promise<Answer> {
  const sentAtMs = serverClock.localNow();
  try {
    const response = await fetch(url, { ...init, credentials: 'same-origin', cache: 'no-store', redirect: 'manual' });
    if (isElsewhere(response)) throw signedOut();
    if (!response.ok) throw await problemOf(response);
    const answer = (await response.json()) as Answer;
    serverClock.observe(answer.serverTimeMs, sentAtMs, serverClock.localNow());
    return answer;
  } catch (error) {
    if (error instanceof ApiProblem || init.signal?.aborted === true) throw error;
    throw unreachable(error);
  }
}

/** The API leads nowhere and answers with no page. Whoever stands before it does, when a session has ended. */
function isElsewhere(response: Response): boolean {
  if (response.type === 'opaqueredirect') return true;
  return response.ok && /^text\/html\b/i.test(response.headers.get('Content-Type') ?? '');
}
