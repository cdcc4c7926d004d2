import type { ChildProcess } from 'node:child_process';
import { type IncomingHttpHeaders, request } from 'node:http';
import { createInterface } from 'node:readline';
import { codeOf, start } from './child.js';

/** What a page of the dashboard sends with an act. */
export const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** `holdfast dashboard` in a process of its own, and a browser of few words in front of it. */
export class ServedDashboard {
  /** As it was printed. */
  readonly address: string;
  readonly #child: ChildProcess;
  readonly #err: () => string;
  #cookie = '';

  private constructor(child: ChildProcess, address: string, err: () => string) {
    this.#child = child;
    this.address = address;
    this.#err = err;
  }

  /** Resolves when it has printed its address. */
  static async start(...words: readonly string[]): Promise<ServedDashboard> {
    const child = start('holdfast', ['dashboard', ...words]);
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      err += piece;
    });
    for await (const line of createInterface({ input: child.stdout })) {
      return new ServedDashboard(child, line, () => err);
    }
    throw new Error(`It ended with ${await codeOf(child)}: ${err}`);
  }

  get err(): string {
    return this.#err();
  }

  /** Opens the address, and keeps the cookie. */
  async enter(): Promise<Answer> {
    const { pathname, search } = new URL(this.address);
    const answer = await this.get(`${pathname}${search}`);
    this.#cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    return answer;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send('GET', path, headers);
  }

  async json<Body>(path: string): Promise<Body> {
    const { status, text } = await this.get(`/api/v1/${path}`);
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return JSON.parse(text) as Body;
  }

  act(path: string, body: unknown): Promise<Answer> {
    return this.#send('POST', `/api/v1/${path}`, OWN, JSON.stringify(body));
  }

  /** Asks it to end. @returns its exit code */
  async stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return codeOf(this.#child);
  }

  #send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const { hostname, port } = new URL(this.address);
    const cookie = this.#cookie === '' ? {} : { Cookie: this.#cookie };
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method, headers: { ...cookie, ...headers }, agent: false });
      sent.on('error', reject).on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      sent.end(body);
    });
  }
}
