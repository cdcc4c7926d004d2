import process from 'node:process';
import { StoreOpenError } from '@holdfast/contract';
import type { Queries } from './database.js';

const VERSION_MIN = 130_000;

interface Settings {
  readonly version: number;
  readonly server_version: string;
  readonly server_encoding: string;
  readonly synchronous_commit: string;
  readonly default_transaction_isolation: string;
  readonly array_nulls: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly is_standby: boolean;
}

const SETTINGS = `
select current_setting('server_version_num')::int4 as version, current_setting('server_version') as server_version,
  current_setting('server_encoding') as server_encoding, current_setting('synchronous_commit') as synchronous_commit,
  current_setting('default_transaction_isolation') as default_transaction_isolation, current_setting('array_nulls') as array_nulls,
  current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
  pg_is_in_recovery() as is_standby`;

/** @throws StoreOpenError for a server on which the promises of the store would not hold */
export async function checkServer(queries: Queries, location: string, acceptDataLoss: boolean): Promise<void> {
  const [settings] = await queries.run<Settings>({ text: SETTINGS });
  if (settings === undefined) return;
  const problem = problemOf(settings, acceptDataLoss);
  if (problem !== undefined) throw new StoreOpenError(location, problem);
  for (const name of ['fsync', 'full_page_writes'] as const) {
    if (settings[name] !== 'off') continue;
    const warning = `The database ${location} runs with ${name} = off: a crash of its machine can lose jobs that were answered, or all of it.`;
    process.emitWarning(warning, 'HoldfastWarning');
  }
}

function problemOf(settings: Settings, acceptDataLoss: boolean): string | undefined {
  if (settings.version < VERSION_MIN) {
    return `it is PostgreSQL ${settings.server_version}, but the store needs 13 or newer.`;
  }
  if (settings.is_standby) return 'it is a standby, which takes no changes. Connect to the primary.';
  if (settings.server_encoding !== 'UTF8') {
    return `its encoding is ${settings.server_encoding}, in which names and payloads cannot be kept as they are. Use a database with encoding UTF8.`;
  }
  if (settings.default_transaction_isolation !== 'read committed') {
    return (
      `default_transaction_isolation is ${settings.default_transaction_isolation}, under which calls that meet would fail. ` +
      "Set it to 'read committed' for the role of the store: ALTER ROLE … SET default_transaction_isolation = 'read committed'."
    );
  }
  if (settings.array_nulls === 'off') {
    return (
      'array_nulls is off, under which whatever a job has not would be stored as the text NULL. ' +
      'Set it for the role of the store: ALTER ROLE … SET array_nulls = on.'
    );
  }
  if (settings.synchronous_commit === 'off' && !acceptDataLoss) {
    return (
      'synchronous_commit is off, so a crash could lose jobs that were answered as stored. Set it for the role of the store: ' +
      'ALTER ROLE … SET synchronous_commit = on. Or say acceptDataLoss: true.'
    );
  }
  return undefined;
}
