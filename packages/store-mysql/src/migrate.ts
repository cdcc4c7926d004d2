import { StoreOpenError } from '@holdfast/contract';
import { foreignTables, inSchema } from '@holdfast/sql-store';
import type { Database } from './database.js';
import { MADE_NAMES, MIGRATIONS, type Migration } from './migrations/index.js';
import type { Server } from './server.js';
import { SqlText, sql } from './sql-text.js';
import type { Surroundings, Work } from './work.js';

/** So long a process waits for another one that is at it; less than a call may take. */
const LOCK_S = 20;

export interface MigrationPlan {
  readonly database: Database;
  readonly server: Server;
  readonly schema: string;
  readonly now: Surroundings['now'];
}

/** What would have to run, as one text. */
export function migrationText(migrations: readonly Migration[], plan: MigrationPlan): string {
  const steps = migrations.map(({ version, what, statements }) => {
    const texts = [...statements, noted({ version, what })].map((text) => `${filledIn(text, plan).trim()};`);
    return [`-- ${version}: ${what}`, ...texts].join('\n');
  });
  return [...createTexts(plan).map((text) => `${text};`), ...steps].join('\n\n');
}

export function missingMigrations(plan: MigrationPlan): Promise<Migration[]> {
  return missing((query) => plan.database.ask(query), plan);
}

/**
 * Brings the schema up to date. Of several who start together one does it, and the others wait for it. Here a change of tables commits by itself, so each is
 * one that does no harm a second time: what was cut off is done again.
 * @returns what ran
 */
export function migrate(plan: MigrationPlan): Promise<readonly Migration[]> {
  return plan.database.connected(async (ask) => {
    const lock = `hf:${plan.schema}:migrate`;
    const [row] = await ask<{ got: number | null }>(sql`select get_lock(${lock}, ${LOCK_S}) as got`);
    if (row?.got !== 1) {
      throw new StoreOpenError(plan.database.location, 'another process is bringing its schema up to date. Try again.');
    }
    try {
      const migrations = await missing(ask, plan);
      for (const text of textsOf(migrations, plan)) await ask(new SqlText(text));
      return migrations;
    } finally {
      await ask(sql`select release_lock(${lock})`);
    }
  });
}

function textsOf(migrations: readonly Migration[], plan: MigrationPlan): string[] {
  if (migrations.length === 0) return [];
  const texts = migrations.flatMap((migration) => [...migration.statements, noted(migration)]);
  return [...createTexts(plan), ...texts.map((text) => filledIn(text, plan))];
}

function createTexts(plan: MigrationPlan): string[] {
  return [
    `create database if not exists ${plan.schema} default character set utf8mb4 collate ${plan.server.collation}`,
    filledIn(
      `create table if not exists hf.migration (version int primary key, what varchar(255) not null, ran_at_ms bigint not null)
engine = InnoDB default character set utf8mb4 collate %collation`,
      plan,
    ),
  ];
}

function noted({ version, what }: Pick<Migration, 'version' | 'what'>): string {
  return `insert ignore into hf.migration (version, what, ran_at_ms) values (${version}, '${what}', %now)`;
}

function filledIn(text: string, { schema, server, now }: MigrationPlan): string {
  return inSchema(text, schema).replaceAll('%collation', server.collation).replaceAll('%now', now.text);
}

/** @throws StoreOpenError where a newer version made the schema, or what is in it is of somebody else */
async function missing(ask: Work['rows'], { schema, database }: MigrationPlan): Promise<Migration[]> {
  const found = await ask<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = ${schema} and table_name in (${MADE_NAMES}) order by table_name`);
  if (found.length === 0) return [...MIGRATIONS];
  const names = found.map(({ name }) => name);
  if (!names.includes('migration') || !(await isOwn(ask, schema)))
    throw foreignTables(database.location, schema, names);
  const rows = await ask<{ version: number }>(sql`select version from hf.migration`);
  const newest = Math.max(0, ...rows.map(({ version }) => version));
  const known = MIGRATIONS.at(-1)?.version ?? 0;
  if (newest > known) {
    const problem = `its schema ${schema} has version ${newest}, but this package knows ${known} and no later ones. Update it`;
    throw new StoreOpenError(database.location, `${problem}, or give the store another schema. Nothing was changed.`);
  }
  return MIGRATIONS.filter(({ version }) => !rows.some((row) => row.version === version));
}

/** With both names the server looks at one table; without, it opens all of them. */
async function isOwn(ask: Work['rows'], schema: string): Promise<boolean> {
  const columns = await ask(sql`
    select 1 from information_schema.columns where table_schema = ${schema} and table_name = 'migration'
      and column_name in ('version', 'what', 'ran_at_ms')`);
  return columns.length === 3;
}
