import { once } from 'node:events';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { LOOPBACK, portOf } from '../http/free-port.js';
import { readMailHeader } from './mail-header.js';
import { type MailStore } from './mail-store.js';

const MESSAGE_BYTES_MAX = 1024 * 1024;

/** The SMTP server that the receipts go to. It stands for the mail provider of a real shop, and listens to this machine only. */
export class MailServer implements OnApplicationShutdown {
  readonly port: number;
  readonly #server: SMTPServer;

  private constructor(server: SMTPServer) {
    this.#server = server;
    this.port = portOf(server.server);
  }

  /** Resolves when it listens, on a port of its own. */
  static async start(store: MailStore): Promise<MailServer> {
    const server = new SMTPServer({
      banner: 'Holdfast demo mail server',
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      size: MESSAGE_BYTES_MAX,
      closeTimeout: 500,
      onData: (stream, _session, answer) => {
        receive(stream, store).then((words) => answer(null, words), answer);
      },
    });
    server.on('error', (error) => new Logger('Mail').error(error.message));
    server.listen(0, LOOPBACK);
    await once(server.server, 'listening');
    return new MailServer(server);
  }

  async onApplicationShutdown(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }
}

/**
 * What it resolves to is said with the code 250, which hands the responsibility for the mail over to us: so only when the
 * mail is on stable storage. An error becomes a 4xx or 5xx answer, and the sender knows that it still has the mail.
 */
async function receive(stream: SMTPServerDataStream, store: MailStore): Promise<string> {
  const message = await readAll(stream);
  if (stream.sizeExceeded) throw smtpError(552, `The mail is larger than ${MESSAGE_BYTES_MAX} bytes.`);
  const header = readMailHeader(message);
  if (header === undefined)
    throw smtpError(550, 'The mail has no Message-ID, so it cannot be told from a second copy.');
  const keeping = await store.keep(message, header);
  return keeping === 'kept' ? 'Kept' : 'Dropped: there already';
}

/** Reads to the end also when it is too much, as the protocol asks, but keeps no more than the limit. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes <= MESSAGE_BYTES_MAX) parts.push(part);
  }
  return Buffer.concat(parts);
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
