import process from 'node:process';
import { Child } from '../child.js';
import type { Answer, Order } from './idle-application.js';
import type { Database } from './measured-database.js';
import { STATEMENT_KINDS } from './statement-kinds.js';

/** Some processes of one application. */
export class MeasuredApplication {
  readonly database: Database;
  readonly processes: number;
  readonly #schema: string;
  readonly #children: Child<Order, Answer>[] = [];

  constructor(database: Database, processes: number) {
    this.database = database;
    this.processes = processes;
    this.#schema = `hf_idle_${process.pid}_${processes}`;
  }

  async open(): Promise<void> {
    const { kind, url } = this.database;
    const script = new URL('./idle-application.js', import.meta.url);
    for (let opened = 0; opened < this.processes; opened++) {
      const child = new Child<Order, Answer>(script, kind, url, this.#schema);
      this.#children.push(child);
      await child.told();
    }
  }

  /** What they have asked since the last call. */
  async count(): Promise<Answer> {
    const sum: Answer = {};
    for (const statements of await Promise.all(this.#children.map((child) => child.told('count')))) {
      for (const kind of STATEMENT_KINDS) sum[kind] = (sum[kind] ?? 0) + (statements[kind] ?? 0);
    }
    return sum;
  }

  async close(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.told('close').catch(() => child.end())));
    await this.database.drop(this.#schema);
  }
}
