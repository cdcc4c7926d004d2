/** What the store needs of a pool; that of `mysql2/promise` has it. */
export interface MysqlPool {
  readonly pool?: { readonly config?: { readonly connectionLimit?: number } };
  getConnection(): Promise<MysqlPoolConnection>;
}

export interface MysqlPoolConnection {
  /** What stays the same each time the pool gives it: `mysql2/promise` wraps it anew. */
  readonly connection?: object;
  /** Answers rows for a question, and what was done for a change. */
  query(query: MysqlQuery): Promise<readonly [unknown, ...unknown[]]>;
  release(): void;
  /** Closes the connection instead of keeping it. */
  destroy(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

/** A value of an answer, before the driver reads it. */
export interface MysqlField {
  readonly type: string;
  string(encoding?: string): string | null;
}

export interface MysqlQuery {
  readonly sql: string;
  readonly values?: (string | number | boolean | Buffer | null)[];
  readonly typeCast?: boolean | ((field: MysqlField, next: () => unknown) => unknown);
  readonly rowsAsArray?: boolean;
  readonly nestTables?: boolean;
}
