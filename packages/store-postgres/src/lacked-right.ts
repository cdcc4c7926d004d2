import type { Database } from './database.js';
import { isDenied } from './database-errors.js';
import { MADE_NAMES } from './migrations/index.js';

interface Rights {
  readonly role: string;
  readonly database: string;
  readonly has_schema: boolean;
  readonly has_tables: boolean;
  readonly may_use_schema: boolean | null;
  readonly may_use_tables: boolean;
  readonly may_use_sequences: boolean;
}

/** $1 the schema, $2 the names of what the store makes there. */
const RIGHTS = `
with s as (select oid from pg_namespace where nspname = $1),
made as (select c.oid, c.relkind from pg_class c join s on s.oid = c.relnamespace where c.relname = any($2::text[]))
select quote_ident(current_user) as role, quote_ident(current_database()) as database,
  exists (select from s) as has_schema, exists (select from made) as has_tables,
  (select has_schema_privilege(oid, 'usage') from s) as may_use_schema,
  not exists (select from made where case when relkind = 'S' then false else not (has_table_privilege(oid, 'select')
    and has_table_privilege(oid, 'insert') and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
    end) as may_use_tables,
  not exists (select from made where case when relkind = 'S' then not has_sequence_privilege(oid, 'usage') end)
    as may_use_sequences`;

/** What to do where the database refused something for lack of a right. `undefined` where it was something else. */
export async function lackedRight(database: Database, schema: string, cause: unknown): Promise<string | undefined> {
  if (!isDenied(cause)) return undefined;
  try {
    const [rights] = await database.run<Rights>({ text: RIGHTS }, [schema, MADE_NAMES]);
    return rights && adviceOn(rights, schema);
  } catch {
    // What the database refused is told in any case.
    return undefined;
  }
}

function adviceOn(rights: Rights, schema: string): string {
  const { role, has_schema, has_tables } = rights;
  const makers = 'a role that may change the tables run migratePostgresStore first';
  const needed = has_tables ? useOf(rights, schema) : [makingOf(rights, schema)];
  if (needed.length === 0) return `The role ${role} may use the tables, but not change them. Let ${makers}.`;
  const grants = needed.map((right) => `GRANT ${right} TO ${role}`).join('; ');
  const advice = `The role ${role} lacks a right. Let the owner of the ${has_schema ? 'schema' : 'database'} run: ${grants}.`;
  return has_tables ? advice : `${advice} Or let ${makers}; then this one needs only the use of them.`;
}

function makingOf({ has_schema, database }: Rights, schema: string): string {
  return has_schema ? `USAGE, CREATE ON SCHEMA ${schema}` : `CREATE ON DATABASE ${database}`;
}

function useOf({ may_use_schema, may_use_tables, may_use_sequences }: Rights, schema: string): string[] {
  return [
    ...(may_use_schema ? [] : [`USAGE ON SCHEMA ${schema}`]),
    ...(may_use_tables ? [] : [`SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema}`]),
    ...(may_use_sequences ? [] : [`USAGE ON ALL SEQUENCES IN SCHEMA ${schema}`]),
  ];
}
