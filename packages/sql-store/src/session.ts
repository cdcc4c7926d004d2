import { StoreFailedError } from '@holdfast/contract';
import type { SessionConnection, SessionLink } from './session-link.js';
import type { LeaseKey, Queries } from './statements.js';
import { answeredIn } from './time-limit.js';

const RECONNECT_MS_MIN = 100;
const RECONNECT_MS_MAX = 3000;
/** Whoever does not lead asks again after this long. */
const LEAD_AGAIN_MS = 3000;
/** A connection that is dead without a word is noticed by asking it now and then: so often before it counts as silent. */
const PINGS = 3;
/** What begins a message of ended leases, and how many are in one: that of PostgreSQL may have 8,000 bytes. */
const CANCELLED = 'cancelled ';
const CANCELLED_MAX = 200;
/** Messages of a process about its queues: not more often, and not of more queues, whose numbers have up to ten digits. */
const ANNOUNCE_MS = 100;
const ANNOUNCED_MAX = 500;

export interface SessionOptions {
  readonly link: SessionLink;
  /** Other processes made jobs of these queues ready; `undefined`: of any, because some may have been missed. */
  readonly heard: (queueIds: readonly number[] | undefined) => void;
  /** Other processes ended these leases by an act of an operator. */
  readonly cancelled: (leases: readonly LeaseKey[]) => void;
  readonly reached: (error: unknown) => void;
}

/**
 * The one connection that a process keeps: it listens to the others and tells them, and holds the locks that end with it. When it is lost it is
 * made again, for as long as that takes.
 */
export class Session {
  /** How many processes had ended without closing when this one opened. */
  lost = 0;
  readonly #options: SessionOptions;
  readonly #processId: number;
  #connection: SessionConnection | undefined;
  #leads = false;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;
  #ping: NodeJS.Timeout | undefined;
  #announced = new Set<number>();
  #announcing: NodeJS.Timeout | undefined;

  constructor(options: SessionOptions, processId: number) {
    this.#options = options;
    this.#processId = processId;
  }

  /** @throws what the driver throws */
  async connect(): Promise<void> {
    let isLost = false;
    let connection: SessionConnection | undefined;
    const lost = (error?: unknown) => {
      isLost = true;
      if (connection !== undefined) this.#lose(connection, error);
    };
    connection = await this.#options.link.connect(this.#processId, { lost, heard: (message) => this.#hear(message) });
    if (isLost) {
      connection.end();
      throw lostConnection();
    }
    this.lost = connection.lostProcesses;
    this.#connection = connection;
    this.#ping = this.#pinging(connection, lost);
    this.#askedAtMs = Number.NEGATIVE_INFINITY;
  }

  /** For what must not wait for a connection of the pool. Absent while there is none. */
  get queries(): Queries | undefined {
    return this.#connection?.queries;
  }

  /** Whether this process does what is due. The lock ends with the connection, so it is asked for once each. */
  async leads(): Promise<boolean> {
    const connection = this.#connection;
    if (connection === undefined) return false;
    if (this.#leads || performance.now() - this.#askedAtMs < LEAD_AGAIN_MS) return this.#leads;
    this.#askedAtMs = performance.now();
    const leads = await connection.leads();
    this.#leads = this.#connection === connection && leads;
    return this.#leads;
  }

  /** Tells other processes, soon, that jobs of these queues may be ready. */
  announce(queueIds: Iterable<number>): void {
    for (const id of queueIds) this.#announced.add(id);
    if (this.#announced.size === 0 || this.#closed || this.#announcing !== undefined) return;
    this.#send();
    this.#announcing = setTimeout(() => {
      this.#announcing = undefined;
      this.announce([]);
    }, ANNOUNCE_MS).unref();
  }

  /** Tells other processes of leases that an operator has ended here: whoever runs their jobs can stop. */
  announceCancelled(leases: readonly LeaseKey[]): void {
    for (let from = 0; from < leases.length && !this.#closed; from += CANCELLED_MAX) {
      const names = leases.slice(from, from + CANCELLED_MAX).map(({ number, token }) => `${number}.${token}`);
      void this.#tell(`${CANCELLED}${names.join(',')}`);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#announcing);
    clearInterval(this.#ping);
    if (this.#connection !== undefined && this.#announced.size > 0) await this.#tell(this.#takeAnnounced());
    await this.#connection?.leave().catch(() => {});
    this.abandon();
  }

  /** As when the process is killed: nothing is told to anybody. */
  abandon(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#announcing);
    clearInterval(this.#ping);
    this.#connection?.end();
    this.#connection = undefined;
  }

  /** The last ping of a silence is given up with it. */
  #pinging(connection: SessionConnection, lost: (error: unknown) => void): NodeJS.Timeout {
    const everyMs = this.#options.link.silenceMs / PINGS;
    const ping = () => void answeredIn((PINGS - 1) * everyMs, connection.ping()).catch(lost);
    return setInterval(ping, everyMs).unref();
  }

  #send(): void {
    if (this.#connection !== undefined) void this.#tell(this.#takeAnnounced());
  }

  /** Too many for one message are told as all. */
  #takeAnnounced(): string {
    const payload = this.#announced.size > ANNOUNCED_MAX ? '' : [...this.#announced].join(',');
    this.#announced = new Set();
    return payload;
  }

  /** What this process tells it has done already itself. */
  #hear(message: string): void {
    const [sender, payload = ''] = message.split(':', 2);
    if (Number(sender) === this.#processId) return;
    if (payload.startsWith(CANCELLED)) {
      const leases = payload.slice(CANCELLED.length).split(',');
      this.#options.cancelled(
        leases.map((name) => ({ number: Number(name.split('.')[0]), token: Number(name.split('.')[1]) })),
      );
    } else this.#options.heard(payload === '' ? undefined : payload.split(',').map(Number));
  }

  async #tell(message: string): Promise<void> {
    await this.#connection?.tell?.(`${this.#processId}:${message}`).catch(() => {});
  }

  #lose(connection: SessionConnection, error: unknown): void {
    if (this.#connection !== connection || this.#closed) return;
    this.#connection = undefined;
    clearInterval(this.#ping);
    this.#leads = false;
    connection.end();
    this.#options.reached(error ?? lostConnection());
    this.#connectAgain(RECONNECT_MS_MIN);
  }

  #connectAgain(afterMs: number): void {
    if (this.#closed) return;
    this.#retry = setTimeout(() => {
      this.connect().then(
        () => {
          if (this.#closed) return this.abandon();
          this.#options.reached(undefined);
          this.#options.heard(undefined);
        },
        (error: unknown) => {
          this.#options.reached(error);
          this.#connectAgain(Math.min(afterMs * 2, RECONNECT_MS_MAX));
        },
      );
    }, afterMs);
  }
}

function lostConnection(): StoreFailedError {
  return new StoreFailedError('rejected', 'The connection was closed by the server.');
}
