import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { userInfo } from 'node:os';
import type { DashboardRole } from '../command-line.js';

const SECRET_BYTES = 32;
const TOKEN = 'token';
/** What leads to this machine's own loopback. Any other name may be one that its owner pointed there. */
const OWN_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Who may enter: whoever has the address that the terminal shows. Its token is taken from the address into a cookie with the first request, so that
 * it neither stands in the address bar nor goes along with any other.
 */
export class BrowserAccess {
  readonly #token = randomBytes(SECRET_BYTES).toString('base64url');
  readonly #session = randomBytes(SECRET_BYTES).toString('base64url');
  /** Cookies go to all ports of a host: each process has a name of its own. */
  readonly #cookie = `holdfast-${randomBytes(4).toString('hex')}`;
  readonly #identity: { readonly role: DashboardRole; readonly actor: string };

  constructor(role: DashboardRole) {
    this.#identity = { role, actor: `${userName()} (holdfast dashboard)` };
  }

  address(port: number): string {
    return `http://127.0.0.1:${port}/?${TOKEN}=${this.#token}`;
  }

  /** Stands before everything else. */
  readonly admit = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (!leadsHere(request.headers.host)) {
      refuse(response, 'This dashboard answers only to 127.0.0.1 and localhost.');
      return;
    }
    const url = URL.canParse(request.url ?? '', 'http://localhost')
      ? new URL(request.url ?? '', 'http://localhost')
      : undefined;
    const given = url?.searchParams.get(TOKEN) ?? undefined;
    if (url === undefined || given === undefined) this.#pass(request, response, next);
    else if (!isSame(given, this.#token))
      refuse(response, 'The token is not that of this dashboard: the terminal shows its address.');
    else this.#enter(url, response);
  };

  /** Who sends a request with these cookies; `undefined` for nobody who has entered. */
  identify(cookies: string | undefined): { readonly role: DashboardRole; readonly actor: string } | undefined {
    const own = cookies
      ?.split(';')
      .map((cookie) => cookie.trim())
      .find((cookie) => cookie.startsWith(`${this.#cookie}=`));
    const given = own?.slice(this.#cookie.length + 1);
    return given !== undefined && isSame(given, this.#session) ? this.#identity : undefined;
  }

  /** To the API everybody comes: it refuses in its own words. */
  #pass({ url, headers }: IncomingMessage, response: ServerResponse, next: () => void): void {
    if (url?.startsWith('/api/') === true || this.identify(headers.cookie) !== undefined) next();
    else refuse(response, 'Open the address that the terminal shows, with its token.');
  }

  #enter(url: URL, response: ServerResponse): void {
    url.searchParams.delete(TOKEN);
    response.writeHead(303, {
      ...HEADERS,
      'Set-Cookie': `${this.#cookie}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`,
      // A path that begins with two slashes would lead elsewhere.
      Location: `${url.pathname.replace(/^\/{2,}/, '/')}${url.search}`,
    });
    response.end();
  }
}

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

function refuse(response: ServerResponse, why: string): void {
  response.writeHead(403, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${why}\n`);
}

function leadsHere(host: string | undefined): boolean {
  const url = `http://${host ?? ''}`;
  return URL.canParse(url) && OWN_NAMES.has(new URL(url).hostname);
}

/** In a time that tells nothing of where they differ. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Some systems know no name for a user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'somebody';
  }
}
