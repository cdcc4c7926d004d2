import type { MovableStore, StoreContents } from '@holdfast/contract/moving';
import type { CommandContext } from '../command-context.js';
import { CommandError } from '../command-error.js';
import type { MoveCommand } from '../command-line.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Comparison, CopyDiffersError, compareStores, total } from './compare.js';
import { moveJson, printMove } from './move-text.js';
import { openMovable } from './open-movable.js';
import { reported } from './reported.js';

export interface Moved extends Comparison {
  readonly from: string;
  readonly to: string;
  /** Nothing was written: an earlier run had done all of it. */
  readonly wasThere: boolean;
}

/** Copies a store into another one, as a whole or not at all. */
export async function move(command: MoveCommand, context: CommandContext): Promise<ExitCode> {
  const moved = await withStore(command.from, command, context, (source) =>
    withStore(command.to, command, context, (target) => moveAll(source, target, context)),
  );
  context.progress.clear();
  if (command.json) context.out.jsonLines(moveJson(moved));
  else printMove(moved, context.out);
  await context.out.flush();
  return EXIT.sound;
}

async function withStore<Answer>(
  place: string,
  command: MoveCommand,
  context: CommandContext,
  work: (store: MovableStore) => Promise<Answer>,
): Promise<Answer> {
  const store = await openMovable(place, command, context);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function moveAll(source: MovableStore, target: MovableStore, context: CommandContext): Promise<Moved> {
  const places = { from: source.location, to: target.location };
  await requireTwo(source, target);
  // Where it cannot be reached, nothing need be read.
  const storeId = await target.storeId();
  return source.readWhole(async (contents): Promise<Moved> => {
    if (storeId === contents.identity.storeId) {
      const found = await target.readWhole((copy) => compareWith(contents, copy, context, 'there'));
      return { ...places, ...found, wasThere: true };
    }
    const shown = reported(contents, total(await contents.counts()), context.progress);
    const compared = await target.take(shown, async (copy) => {
      const found = await compareWith(contents, copy, context, 'copy');
      await contents.requireUnchanged();
      return found;
    });
    return { ...places, ...compared, wasThere: false };
  });
}

/** A store that is compared with itself would be found moved already. */
async function requireTwo(source: MovableStore, target: MovableStore): Promise<void> {
  if ((await target.place()) !== (await source.place())) return;
  throw new CommandError(
    EXIT.refused,
    `${source.location} and ${target.location} are the same store.`,
    'Choose another target. Into another schema of the same database it goes by way of a directory: --schema is for both sides.',
  );
}

async function compareWith(
  source: StoreContents,
  copy: StoreContents,
  { progress, now }: CommandContext,
  what: 'copy' | 'there',
): Promise<Comparison> {
  const all = total(await source.counts());
  try {
    return await compareStores(source, copy, now(), (jobs) => progress.reportJobs('Comparing', jobs, all));
  } catch (error) {
    if (!(error instanceof CopyDiffersError)) throw error;
    const cause = { cause: error };
    if (what === 'copy') throw new CommandError(EXIT.damaged, error.message, 'Nothing of it was kept.', cause);
    throw new CommandError(
      EXIT.refused,
      `The target holds this store already, but not as it is in the source. ${error.message}`,
      'If the application works with the target, the move was done before. Else choose another target. Nothing was changed.',
      cause,
    );
  }
}
