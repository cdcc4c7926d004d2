import type { Database } from './database.js';
import { isDenied } from './database-errors.js';
import { sql } from './sql-text.js';

const NEEDED = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE'];

/** What to do where the server refused something for lack of a right, which it names itself. `undefined` where it was something else. */
export async function lackedRight(database: Database, schema: string, cause: unknown): Promise<string | undefined> {
  if (!isDenied(cause)) return undefined;
  try {
    const [row] = await database.ask<{ user: string }>(sql`select current_user() as user`);
    const given = await database.ask<{ name: string }>(sql`
      select privilege_type as name from information_schema.user_privileges
      union select privilege_type from information_schema.schema_privileges where replace(table_schema, '\\\\', '') = ${schema}`);
    const lacked = NEEDED.filter((right) => !given.some(({ name }) => name === right));
    return row && adviceOn(grantee(row.user), schema, lacked.length === 0 ? NEEDED : lacked);
  } catch {
    // What the server refused is told in any case.
    return undefined;
  }
}

function adviceOn(user: string, schema: string, rights: readonly string[]): string {
  const advice = `Let an administrator run: GRANT ${rights.join(', ')} ON ${schema}.* TO ${user}.`;
  if (!rights.includes('CREATE')) return advice;
  return `${advice} CREATE is needed only to migrate: it can be left out where somebody who has it runs migrateMysqlStore first.`;
}

/** `user@host`, where there may be an `@` in the user. */
function grantee(user: string): string {
  const at = user.lastIndexOf('@');
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return `${quoted(user.slice(0, at))}@${quoted(user.slice(at + 1))}`;
}
