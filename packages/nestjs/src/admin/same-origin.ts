import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from './refusal.js';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * Admits a request that changes something only if a page of this very origin sent it. The header of our own already forces
 * a preflight; the rest holds also where the application's CORS setting is generous.
 * @throws Refusal
 */
export function requireSameOrigin(headers: IncomingHttpHeaders): void {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new Refusal(415, 'NOT_JSON', 'The request must have Content-Type: application/json.');
  }
  if (headers['x-holdfast-request'] !== '1') throw crossSite('it lacks the header X-Holdfast-Request: 1');
  const site = headers['sec-fetch-site'];
  if (site === undefined ? !originMatchesHost(headers) : site !== 'same-origin') {
    throw crossSite('it does not come from a page of this origin');
  }
}

function crossSite(reason: string): Refusal {
  return new Refusal(403, 'CROSS_SITE_REQUEST', `The request was refused, because ${reason}. Nothing was changed.`);
}

function originMatchesHost(headers: IncomingHttpHeaders): boolean {
  const { origin } = headers;
  const host = headers.host ?? headers[':authority'];
  if (origin === undefined || typeof host !== 'string' || !/^https?:\/\/[^/]+$/.test(origin)) return false;
  const scheme = origin.slice(0, origin.indexOf(':'));
  if (!URL.canParse(origin) || !URL.canParse(`${scheme}://${host}`)) return false;
  // Through URL, so that the default port of the scheme may be written or left out.
  return new URL(origin).host === new URL(`${scheme}://${host}`).host;
}
