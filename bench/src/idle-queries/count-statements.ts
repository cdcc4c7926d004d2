import mysql from 'mysql2';
import pg from 'pg';
import { kindOf, type StatementKind } from './statement-kinds.js';

/** So many statements of each kind. */
export type Statements = Partial<Record<StatementKind, number>>;

type Query = (this: object, ...given: unknown[]) => unknown;

/**
 * Counts what the drivers send for this process, each statement once, prepared or not. The servers count for all of their clients, so their figures
 * are no use where others work too.
 */
export class StatementCount {
  #statements: Statements = {};

  /** Before the first connection. */
  begin(): void {
    for (const { prototype } of [pg.Client, mysql.Connection] as readonly { readonly prototype: { query: Query } }[]) {
      const { query } = prototype;
      const note = (given: unknown) => this.#note(given);
      prototype.query = function counted(this: object, ...given: unknown[]) {
        note(given[0]);
        return query.apply(this, given);
      };
    }
  }

  /** What came since the last call. */
  take(): Statements {
    const statements = this.#statements;
    this.#statements = {};
    return statements;
  }

  #note(given: unknown): void {
    const kind = kindOf(textOf(given));
    this.#statements[kind] = (this.#statements[kind] ?? 0) + 1;
  }
}

function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  const { text, sql } = given as { readonly text?: string; readonly sql?: string };
  return text ?? sql ?? '';
}
