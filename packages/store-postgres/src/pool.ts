/** What the store needs of a pool; that of `pg` has it. */
export interface PostgresPool {
  readonly options?: { readonly max?: number };
  connect(): Promise<PostgresPoolClient>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PostgresPoolClient {
  query(query: PostgresQuery): Promise<{ rows: unknown[] }>;
  /** With an error the connection is closed instead of kept. */
  release(error?: Error | boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(
    event: 'notification',
    listener: (message: { readonly channel: string; readonly payload?: string | undefined }) => void,
  ): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PostgresQuery {
  readonly text: string;
  readonly values?: unknown[];
  /** After so long without an answer it fails. */
  readonly query_timeout?: number;
  /** Of a prepared statement. */
  readonly name?: string;
  readonly types?: { getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown };
}
