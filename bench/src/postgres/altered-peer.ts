import pg from 'pg';
import { holdfastPeer } from './holdfast-peer.js';
import type { SqlPeer } from './peer.js';

/** The store with its tables changed after it made them: what an index costs, measured before anything is built on its absence. */
export function alteredPeer(statements: string): SqlPeer {
  return {
    name: 'Holdfast altered',
    async open(connectionString, schema) {
      const opened = await holdfastPeer.open(connectionString, schema);
      const client = new pg.Client({ connectionString });
      await client.connect();
      try {
        await client.query(`set search_path to ${schema}; ${statements}`);
      } finally {
        await client.end();
      }
      return opened;
    },
  };
}
