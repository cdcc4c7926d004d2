import type { Missing } from './comparison-results.js';
import type { Entrant, ServerNeed } from './entrant.js';
import { beanstalkdCommand } from './servers/beanstalk-server.js';
import { postgresCommand } from './servers/postgres-server.js';
import { redisCommand } from './servers/redis-server.js';
import { sqliteFor } from './sqlite-build.js';

export interface Presence {
  readonly present: readonly Entrant[];
  readonly missing: readonly Missing[];
  /** Where a better-sqlite3 is that the Node of the runs can load. */
  readonly sqlite?: string;
}

/** Who can take part here. Nobody is left out without being named. */
export function findPresent(entrants: readonly Entrant[], node: string, postgresUrl: string | undefined): Presence {
  const sqlite = entrants.some((entrant) => entrant.sqlite) ? sqliteFor(node) : undefined;
  const reasonOf = ({ server, sqlite: needsSqlite }: Entrant): string | undefined => {
    if (needsSqlite) return sqlite?.reason;
    return server === undefined ? undefined : serverReason(server, postgresUrl);
  };
  const reasons = entrants.map((entrant) => ({ entrant, reason: reasonOf(entrant) }));
  return {
    present: reasons.filter(({ reason }) => reason === undefined).map(({ entrant }) => entrant),
    missing: reasons.flatMap(({ entrant: { title }, reason }) => (reason === undefined ? [] : [{ title, reason }])),
    ...(sqlite?.place === undefined ? {} : { sqlite: sqlite.place }),
  };
}

function serverReason({ kind }: ServerNeed, postgresUrl: string | undefined): string | undefined {
  switch (kind) {
    case 'redis':
      if (redisCommand() !== undefined) return undefined;
      return 'There is no redis-server: install it (Debian: redis-server) or name it in REDIS_SERVER.';
    case 'beanstalkd':
      if (beanstalkdCommand() !== undefined) return undefined;
      return 'There is no beanstalkd: install it (Debian: beanstalkd) or name it in BEANSTALKD.';
    case 'postgres':
      if (postgresUrl !== undefined || postgresCommand() !== undefined) return undefined;
      return 'There is no PostgreSQL: install its server, name its initdb in POSTGRES_INITDB, or give --postgres a URL.';
  }
}
