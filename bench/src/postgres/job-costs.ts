import { readFileSync } from 'node:fs';
import pg from 'pg';
import { parseStat, serverMicroseconds } from '../comparison/servers/server-time.js';

/** What a job took, beside time. `server` is left out where the server is on another machine. */
export interface JobCosts {
  /** Microseconds of processor time. */
  readonly application: number;
  readonly server: number | undefined;
  readonly walBytes: number;
}

interface Reading {
  readonly application: number;
  readonly server: number | undefined;
  readonly walBytes: number;
}

/** Reads what a server has spent so far. What it does for others meanwhile is counted too. */
export class CostMeter {
  readonly #client: pg.Client;
  #server: number | undefined;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async connect(connectionString: string): Promise<CostMeter> {
    const meter = new CostMeter(new pg.Client({ connectionString }));
    await meter.#client.connect();
    const { rows } = await meter.#client.query<{ pid: number }>('select pg_backend_pid() as pid');
    meter.#server = parentOf(rows[0]?.pid ?? 0);
    return meter;
  }

  async measure(jobs: number, act: () => Promise<void>): Promise<JobCosts> {
    const before = await this.#read();
    await act();
    const after = await this.#read();
    const aJob = (from: number, to: number) => (to - from) / jobs;
    const { server } = before;
    return {
      application: aJob(before.application, after.application),
      server: server === undefined || after.server === undefined ? undefined : aJob(server, after.server),
      walBytes: aJob(before.walBytes, after.walBytes),
    };
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async #read(): Promise<Reading> {
    const text = "select pg_current_wal_insert_lsn() - '0/0' as bytes";
    const { rows } = await this.#client.query<{ bytes: string }>(text);
    const { user, system } = process.cpuUsage();
    const server = this.#server === undefined ? undefined : settledMicroseconds(this.#server);
    return { application: user + system, server, walBytes: Number(rows[0]?.bytes) };
  }
}

/** The process that started a backend, if it is one of this machine. */
function parentOf(backend: number): number | undefined {
  try {
    const line = readFileSync(`/proc/${backend}/stat`, 'utf8');
    return line.includes('(postgres)') ? parseStat(line).parent : undefined;
  } catch {
    return undefined;
  }
}

/** A backend that ends while it is looked at leaves the sum unknown: a queue that closes its connections is given a few looks. */
function settledMicroseconds(pid: number): number | undefined {
  for (let look = 0; look < 10; look++) {
    const microseconds = serverMicroseconds(pid);
    if (microseconds !== undefined) return microseconds;
  }
  return undefined;
}
