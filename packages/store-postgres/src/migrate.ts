import { StoreOpenError } from '@holdfast/contract';
import { foreignTables, inSchema } from '@holdfast/sql-store';
import type { Queries } from './database.js';
import { MADE_NAMES, MIGRATIONS, type Migration } from './migrations/index.js';

/** What a schema needs to be that of the store. */
export interface Upgrade {
  /** Whoever may make tables in a schema that is there need not be allowed to make one. */
  readonly hasSchema: boolean;
  readonly missing: readonly Migration[];
}

const CREATE_SCHEMA = 'create schema if not exists %s;';
const CREATE_MIGRATION =
  'create table if not exists hf.migration (version int4 primary key, what text not null, ran_at timestamptz not null default now());';

/**
 * Asked of the tables of the server itself, which are read as they are by now. `to_regclass` would answer what the connection remembers: in a transaction that has
 * waited for another process to make the schema, that there is none.
 */
const FOUND = `
select c.relname::text as name, (
  select count(*) from pg_attribute a
  where a.attrelid = c.oid and a.attname in ('version', 'what', 'ran_at') and not a.attisdropped) = 3 as has_versions
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = any($2::text[]) order by c.relname`;
const HAS_SCHEMA = 'select 1 from pg_namespace where nspname = $1';

/** What would have to run, as one text; empty where nothing is missing. */
export function upgradeText({ hasSchema, missing }: Upgrade, schema: string): string {
  if (missing.length === 0) return '';
  const steps = missing.map(
    ({ version, what, sql }) =>
      `-- ${version}: ${what}\n${sql.trim()}\ninsert into hf.migration (version, what) values (${version}, '${what}');`,
  );
  const made = hasSchema ? CREATE_MIGRATION : `${CREATE_SCHEMA.replace('%s', schema)}\n${CREATE_MIGRATION}`;
  return inSchema([made, ...steps].join('\n\n'), schema).trim();
}

/** @throws StoreOpenError where a newer version made the schema, or what is in it is of somebody else */
export async function neededUpgrade(queries: Queries, schema: string, location: string): Promise<Upgrade> {
  const found = await queries.run<{ name: string; has_versions: boolean }>({ text: FOUND }, [schema, MADE_NAMES]);
  const isOwn = found.some(({ name, has_versions }) => name === 'migration' && has_versions);
  if (isOwn) return { hasSchema: true, missing: await notRun(queries, schema, location) };
  if (found.length > 0)
    throw foreignTables(
      location,
      schema,
      found.map(({ name }) => name),
    );
  return { hasSchema: (await queries.run({ text: HAS_SCHEMA }, [schema])).length > 0, missing: MIGRATIONS };
}

async function notRun(queries: Queries, schema: string, location: string): Promise<Migration[]> {
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
 * @returns what ran, as one text
 */
export async function migrate(queries: Queries, schema: string, location: string): Promise<string> {
  await queries.run({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }, [`holdfast migrates ${schema}`]);
  const text = upgradeText(await neededUpgrade(queries, schema, location), schema);
  if (text !== '') await queries.run({ text });
  return text;
}
