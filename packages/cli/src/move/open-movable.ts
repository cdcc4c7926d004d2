import type { MovableStore } from '@holdfast/contract/moving';
import type { CommandContext } from '../command-context.js';
import type { MoveCommand } from '../command-line.js';
import { storePlace } from '../source/store-place.js';
import { LogDirectory } from './log-directory.js';

/** The store that a word of the command line names: a URL of a database, or a directory. */
export async function openMovable(
  place: string,
  { schema, keep }: MoveCommand,
  context: CommandContext,
): Promise<MovableStore> {
  const kind = storePlace(place);
  if (kind !== 'postgres' && kind !== 'mysql') return new LogDirectory(place, context, keep);
  const options = { connectionString: place, ...(schema === undefined ? {} : { schema }) };
  if (kind === 'mysql') {
    const { movableMysqlStore } = await import('@holdfast/store-mysql/moving');
    return movableMysqlStore(options);
  }
  const { movablePostgresStore } = await import('@holdfast/store-postgres/moving');
  return movablePostgresStore(options);
}
