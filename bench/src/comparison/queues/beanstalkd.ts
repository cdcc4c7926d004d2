import { execFileSync } from 'node:child_process';
import type { Order } from '../../order.js';
import type { PeerWorker } from '../../peer.js';
import { ATTEMPTS_MAX } from '../compared-queue.js';
import type { Entrant } from '../entrant.js';
import { beanstalkdCommand } from '../servers/beanstalk-server.js';
import { type BeanstalkAnswer, BeanstalkConnection } from './beanstalk-connection.js';
import { directoryBytes } from './disk-bytes.js';

const RESERVE = 'reserve\r\n';
const PRIORITY = 1024;
const TIME_TO_RUN_SECONDS = 60;
const PROTOCOL = 'https://github.com/beanstalkd/beanstalkd/blob/master/doc/protocol.txt';

export const beanstalkd: Entrant = {
  name: 'beanstalkd',
  title: 'beanstalkd, binlog fsynced',
  server: { kind: 'beanstalkd' },
  afterPowerCut: 'every job',
  settings: [
    {
      setting: '-b and -f 0: the binlog is synced at each write',
      why: 'by default it is synced every 50 ms, and without -b jobs are in memory only',
      source: 'https://github.com/beanstalkd/beanstalkd/blob/master/doc/beanstalkd.1',
    },
    {
      setting: 'puts follow each other on one connection without waiting',
      why: 'the server answers in order; there is no command for many jobs',
      source: PROTOCOL,
    },
    {
      setting: 'a connection for each job that runs, delete and the next reserve in one packet',
      why: 'a connection that reserves waits; many connections are what the server is made for',
      source: PROTOCOL,
    },
    {
      setting: 'attempts are counted by stats-job, after the last one a job is buried',
      why: 'it has no limit itself',
      source: PROTOCOL,
    },
  ],
  drainJobs: 15_000,
  async open({ server }) {
    const { port, directory } = server!;
    const connection = await BeanstalkConnection.open(port);
    return {
      version: execFileSync(beanstalkdCommand()!, ['-v'], { encoding: 'utf8' }).trim(),
      async enqueue(order) {
        expectWord(await connection.send(putCommand(order)), 'INSERTED');
      },
      async enqueueMany(orders) {
        const answers = await Promise.all(connection.sendAll(orders.map(putCommand)));
        for (const answer of answers) expectWord(answer, 'INSERTED');
      },
      work: (concurrency, handler) => new BeanstalkWorker(port, concurrency, handler),
      async counts() {
        const figures = await statistics(connection, 'stats-tube default\r\n');
        const of = (name: string) => figures.get(`current-jobs-${name}`) ?? 0;
        return { unfinished: of('ready') + of('reserved') + of('delayed'), failed: of('buried') };
      },
      diskBytes: async () => directoryBytes(directory!),
      close: async () => connection.close(),
    };
  },
};

class BeanstalkWorker implements PeerWorker {
  readonly #handler: (order: Order) => Promise<void>;
  readonly #connections: Promise<BeanstalkConnection>[];
  readonly #loops: Promise<void>[];
  /** Those that run no job: they wait for one, and may be closed. */
  readonly #idle = new Set<BeanstalkConnection>();
  #closing = false;

  constructor(port: number, concurrency: number, handler: (order: Order) => Promise<void>) {
    this.#handler = handler;
    this.#connections = Array.from({ length: concurrency }, () => BeanstalkConnection.open(port));
    this.#loops = this.#connections.map(async (opened) => this.#loop(await opened));
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#connections);
    for (const connection of this.#idle) connection.close();
    await Promise.all(this.#loops);
  }

  async #loop(connection: BeanstalkConnection): Promise<void> {
    let reserved = connection.send(RESERVE);
    for (
      let job = await this.#job(connection, reserved);
      job !== undefined;
      job = await this.#job(connection, reserved)
    ) {
      const [ended, next] = connection.sendAll([await this.#run(connection, job), RESERVE]);
      reserved = next!;
      await ended;
    }
    connection.close();
  }

  /** @returns `undefined` when the worker was closed meanwhile */
  async #job(
    connection: BeanstalkConnection,
    reserved: Promise<BeanstalkAnswer>,
  ): Promise<BeanstalkAnswer | undefined> {
    this.#idle.add(connection);
    if (this.#closing) connection.close();
    try {
      return await reserved;
    } catch (error) {
      if (this.#closing) return undefined;
      throw error;
    } finally {
      this.#idle.delete(connection);
    }
  }

  /** @returns the command that ends the attempt */
  async #run(connection: BeanstalkConnection, { words, body }: BeanstalkAnswer): Promise<string> {
    const id = words[1]!;
    try {
      await this.#handler(JSON.parse(body!.toString()));
      return `delete ${id}\r\n`;
    } catch {
      const releases = (await statistics(connection, `stats-job ${id}\r\n`)).get('releases') ?? 0;
      return releases + 1 < ATTEMPTS_MAX ? `release ${id} ${PRIORITY} 0\r\n` : `bury ${id} ${PRIORITY}\r\n`;
    }
  }
}

function putCommand(order: Order): string {
  const body = JSON.stringify(order);
  return `put ${PRIORITY} 0 ${TIME_TO_RUN_SECONDS} ${Buffer.byteLength(body)}\r\n${body}\r\n`;
}

function expectWord({ words }: BeanstalkAnswer, wanted: string): void {
  if (words[0] !== wanted) throw new Error(`beanstalkd answered ${words.join(' ')} where ${wanted} was wanted.`);
}

/** Its figures are lines of YAML: a name, a colon, a number. */
async function statistics(connection: BeanstalkConnection, command: string): Promise<Map<string, number>> {
  const { body } = await connection.send(command);
  const lines = body?.toString().split('\n') ?? [];
  return new Map(
    lines.flatMap((line) => {
      const [name, value] = line.split(': ');
      return name === undefined || value === undefined ? [] : [[name, Number(value)] as const];
    }),
  );
}
