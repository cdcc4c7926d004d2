import { Agent, get } from 'node:http';

/** Asks the API over connections that are kept, as a browser does. */
export class ApiClient {
  readonly #base: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 6 });
  #asked = 0;

  constructor(port: number) {
    this.#base = `http://127.0.0.1:${port}/ops/api/v1/`;
  }

  close(): void {
    this.#agent.destroy();
  }

  async json<Answer>(path: string): Promise<Answer> {
    return JSON.parse((await this.#text(path)).toString('utf8')) as Answer;
  }

  /** Milliseconds until the answer was there, to its last byte. */
  async timed(path: string): Promise<{ readonly ms: number; readonly bytes: number }> {
    const startMs = performance.now();
    const { byteLength } = await this.#text(path);
    return { ms: performance.now() - startMs, bytes: byteLength };
  }

  /** A stream of events that is read and thrown away. @returns how to end it */
  stream(actor: string): () => void {
    const sent = get(`${this.#base}events`, { headers: { 'X-Bench-Actor': actor }, agent: false }, (answer) => {
      answer.on('error', () => {});
      answer.resume();
    });
    sent.on('error', () => {});
    return () => sent.destroy();
  }

  #text(path: string): Promise<Buffer> {
    // Somebody else now and then, because what one person may ask for has a bound.
    const actor = `bench-${Math.floor(this.#asked++ / 100)}`;
    return new Promise((resolve, reject) => {
      const sent = get(
        `${this.#base}${path}`,
        { agent: this.#agent, headers: { 'X-Bench-Actor': actor } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            if (answer.statusCode === 200) resolve(Buffer.concat(chunks));
            else
              reject(new Error(`GET ${path} was answered ${answer.statusCode}: ${Buffer.concat(chunks).toString()}`));
          });
        },
      );
      sent.on('error', reject);
    });
  }
}
