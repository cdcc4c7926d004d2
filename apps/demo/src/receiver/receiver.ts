import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type OnApplicationShutdown } from '@nestjs/common';
import { LOOPBACK, portOf } from '../http/free-port.js';
import { type SeededRandom } from '../seeded-random.js';
import { type Answer, type Mood, nextAnswer } from './mood.js';

export interface ReceiverReport {
  readonly mood: Mood;
  /** Calls by how they were answered, since the start. */
  readonly answered: Readonly<Record<Answer, number>>;
}

/**
 * The other end of the webhooks: somebody else's server, on a port of its own, with somebody else's troubles. It answers
 * well, or 500, or not at all, or 410, which says that it never wants to hear of this again.
 */
export class Receiver implements OnApplicationShutdown {
  readonly url: string;
  readonly #server: Server;
  readonly #random: SeededRandom;
  readonly #answered: Record<Answer, number> = { ok: 0, error: 0, hang: 0, gone: 0 };
  #mood: Mood = 'moody';

  private constructor(server: Server, random: SeededRandom) {
    this.#server = server;
    this.#random = random;
    this.url = `http://${LOOPBACK}:${portOf(server)}/hooks/orders`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response));
  }

  /** Resolves when it listens. */
  static async start(random: SeededRandom): Promise<Receiver> {
    const server = createServer();
    server.listen(0, LOOPBACK);
    await once(server, 'listening');
    return new Receiver(server, random);
  }

  setMood(mood: Mood): void {
    this.#mood = mood;
  }

  report(): ReceiverReport {
    return { mood: this.#mood, answered: { ...this.#answered } };
  }

  async onApplicationShutdown(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // Calls that it let hang would keep it open for as long as their callers are patient.
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const answer = nextAnswer(this.#mood, this.#random);
    this.#answered[answer] += 1;
    if (answer === 'hang') return;
    response.statusCode = STATUS[answer];
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.end(WORDS[answer]);
  }
}

const STATUS: Readonly<Record<Exclude<Answer, 'hang'>, number>> = { ok: 200, error: 500, gone: 410 };
const WORDS: Readonly<Record<Exclude<Answer, 'hang'>, string>> = {
  ok: 'Thank you.\n',
  error: 'Our database is away.\n',
  gone: 'This hook was removed. Do not call again.\n',
};
