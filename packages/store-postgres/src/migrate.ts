import { StoreOpenError } from '@holdfast/contract';
import { inSchema } from '@holdfast/sql-store';
import type { Queries } from './database.js';
import { MIGRATIONS, type Migration } from './migrations/index.js';

const CREATE = `
create schema if not exists %s;
create table if not exists hf.migration (version int4 primary key, what text not null, ran_at timestamptz not null default now());`;

/**
 * Asked of the table of tables, which is read as it is by now. `to_regclass` would answer what the connection remembers: in a transaction that has waited for
 * another process to make the schema, that there is none.
 */
const MADE = `
select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = 'migration'`;

/** What would have to run, as one text. */
export function migrationText(migrations: readonly Migration[], schema: string): string {
  const steps = migrations.map(
    ({ version, what, sql }) =>
      `-- ${version}: ${what}\n${sql.trim()}\ninsert into hf.migration (version, what) values (${version}, '${what}');`,
  );
  return inSchema([CREATE.replace('%s', schema), ...steps].join('\n\n'), schema).trim();
}

/** @throws StoreOpenError where a newer version made the schema */
export async function missingMigrations(queries: Queries, schema: string, location: string): Promise<Migration[]> {
  if ((await queries.run({ text: MADE }, [schema])).length === 0) return [...MIGRATIONS];
  const rows = await queries.run<{ version: number }>({ text: `select version from ${schema}.migration` });
  const newest = Math.max(0, ...rows.map(({ version }) => version));
  const known = MIGRATIONS.at(-1)?.version ?? 0;
  if (newest > known) {
    const problem = `its schema ${schema} has version ${newest}, but this package knows ${known} and no later ones. Update it`;
    throw new StoreOpenError(location, `${problem}, or give the store another schema. Nothing was changed.`);
  }
  return MIGRATIONS.filter(({ version }) => !rows.some((row) => row.version === version));
}

/**
 * Brings the schema up to date, in one transaction. Of several who start together one does it, and the others wait for it.
 * @returns what ran
 */
export async function migrate(queries: Queries, schema: string, location: string): Promise<readonly Migration[]> {
  await queries.run({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }, [`holdfast migrates ${schema}`]);
  const missing = await missingMigrations(queries, schema, location);
  if (missing.length > 0) await queries.run({ text: migrationText(missing, schema) });
  return missing;
}
