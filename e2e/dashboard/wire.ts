import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WireOptions {
  /** Where browsers find what the server has under `target`, and whether they are told so. Default: the same path. */
  readonly path?: string;
  /** Put on every answer, beside what the server says; names in small letters. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long an answer is held back. */
  readonly delayMs?: number;
}

/** What stands between browsers and servers: it counts who listens, cuts wires, hides a prefix, adds headers. */
export class Wire {
  /** Where the dashboard is found through it. */
  readonly url: string;
  /** `Last-Event-ID` of every stream that was asked for, in order; undefined where there was none. */
  readonly lastEventIds: (string | undefined)[] = [];
  /** The first words of every stream. */
  readonly hellos: string[] = [];
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  delayMs: number;
  #streams = 0;
  #cut = false;
  readonly #server: Server;
  readonly #target: URL;
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(server: Server, target: URL, { path, headers = {}, delayMs = 0 }: WireOptions) {
    this.#server = server;
    this.#target = target;
    this.#path = path ?? target.pathname;
    this.#headers = headers;
    this.delayMs = delayMs;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${this.#path}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#pass(request, response));
  }

  static async start(target: string, options: WireOptions = {}): Promise<Wire> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Wire(server, new URL(target), options);
  }

  /** Streams of events that are open now. */
  get streams(): number {
    return this.#streams;
  }

  /** Ends every connection, and lets none through until `mend`. */
  cut(): void {
    this.#cut = true;
    this.#server.closeAllConnections();
  }

  mend(): void {
    this.#cut = false;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { url = '/', method, headers } = request;
    this.asked.push(url);
    if (this.#cut || !url.startsWith(this.#path)) return void request.socket.destroy();
    const isStream = url.endsWith('/events');
    if (isStream) this.#listen(headers, response);
    const path = this.#target.pathname + url.slice(this.#path.length);
    const { hostname, port } = this.#target;
    const onward = send({ hostname, port, path, method, headers: this.#onward(headers) }, (answer) => {
      if (isStream) answer.once('data', (words: Buffer) => this.hellos.push(String(words)));
      setTimeout(() => {
        response.writeHead(answer.statusCode ?? 502, this.#answerHeaders(answer));
        answer.pipe(response);
      }, this.delayMs);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  #listen(headers: IncomingHttpHeaders, response: ServerResponse): void {
    this.#streams += 1;
    const last = headers['last-event-id'];
    this.lastEventIds.push(Array.isArray(last) ? last[0] : last);
    response.on('close', () => {
      this.#streams -= 1;
    });
  }

  /** What takes a prefix away says which: what is left is what the server calls its own path. */
  #onward(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
    if (this.#path === this.#target.pathname) return headers;
    const prefix = this.#path.slice(0, this.#path.length - this.#target.pathname.length);
    return { ...headers, 'x-forwarded-prefix': prefix };
  }

  /** Two policies hold together, so one does not take the place of the other. */
  #answerHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
    const added = Object.entries(this.#headers).map(([name, value]) => {
      const said = headers[name];
      return [name, typeof said === 'string' ? [said, value] : value] as const;
    });
    return { ...headers, ...Object.fromEntries(added) };
  }
}
