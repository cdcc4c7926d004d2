import mysql from 'mysql2/promise';
import pg from 'pg';

/** A server that idle applications are measured on. */
export interface Database {
  readonly kind: 'PostgreSQL' | 'MariaDB';
  readonly url: string;
  /** @returns what the server calls itself */
  version(): Promise<string>;
  drop(schema: string): Promise<void>;
}

export function postgres(connectionString: string): Database {
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await client.query<{ version: string }>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    kind: 'PostgreSQL',
    url: connectionString,
    version: async () =>
      `PostgreSQL ${(await ask("select current_setting('server_version') as version"))[0]?.version.split(' ')[0]}`,
    drop: async (schema) => void (await ask(`drop schema if exists ${schema} cascade`)),
  };
}

export function mariadb(uri: string): Database {
  const ask = async (text: string) => {
    const connection = await mysql.createConnection({ uri });
    try {
      return (await connection.query(text))[0] as { version: string }[];
    } finally {
      await connection.end();
    }
  };
  const named = (version: string) => (version.includes('MariaDB') ? 'MariaDB' : 'MySQL');
  return {
    kind: 'MariaDB',
    url: uri,
    async version() {
      const version = (await ask('select version() as version'))[0]?.version ?? '';
      return `${named(version)} ${version.split('-')[0]}`;
    },
    drop: async (schema) => void (await ask(`drop database if exists ${schema}`)),
  };
}
