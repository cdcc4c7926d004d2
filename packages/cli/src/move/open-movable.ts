import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { MovableStore } from '@holdfast/contract/moving';
import type { CommandContext } from '../command-context.js';
import { CommandError } from '../command-error.js';
import type { MoveCommand } from '../command-line.js';
import { EXIT } from '../exit-code.js';
import { LogDirectory } from './log-directory.js';

/** The store that a word of the command line names: a URL of a database, or a directory. */
export async function openMovable(
  place: string,
  { schema, keep }: MoveCommand,
  context: CommandContext,
): Promise<MovableStore> {
  if (!isPostgres(place)) return new LogDirectory(place, context, keep);
  const { movablePostgresStore } = await loadPostgres();
  return movablePostgresStore({ connectionString: place, ...(schema === undefined ? {} : { schema }) });
}

export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

type Postgres = typeof import('@holdfast/store-postgres/moving');
const POSTGRES = '@holdfast/store-postgres/moving';

/** Beside this program, or in the application in whose directory it runs. @throws CommandError that says what to install */
async function loadPostgres(): Promise<Postgres> {
  try {
    return (await import(POSTGRES)) as Postgres;
  } catch (error) {
    requireMissing(error);
  }
  try {
    const found = createRequire(join(process.cwd(), 'any.js')).resolve(POSTGRES);
    return (await import(pathToFileURL(found).href)) as Postgres;
  } catch (error) {
    requireMissing(error);
    throw new CommandError(
      EXIT.unreadable,
      'A PostgreSQL store is read and written by the package @holdfast/store-postgres, which is not installed here.',
      'Install it in the directory of your application, and run holdfast there: npm install @holdfast/store-postgres',
      { cause: error },
    );
  }
}

function requireMissing(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
}
