import type { Writable } from 'node:stream';
import type { CommandContext } from './command-context.js';
import { ownMistake, toCommandError } from './command-error.js';
import { type Command, parseCommandLine } from './command-line.js';
import { dump } from './dump/dump.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { HELP } from './help.js';
import { move } from './move/move.js';
import { PACKAGE_VERSION } from './package-version.js';
import { repair } from './repair/repair.js';
import { snapshot } from './snapshot/snapshot.js';
import { withoutPasswords } from './source/store-place.js';
import { Output } from './terminal/output.js';
import { Progress } from './terminal/progress.js';
import { verify } from './verify/verify.js';

/** The process around a command. */
export interface World {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  now(): number;
  monotonicMs(): number;
  /** Resolves when the process is asked to end. Until it is called, that ends it at once. */
  stopped(): Promise<void>;
}

/** Runs one command line. Never throws. @returns the exit code; every error has been told by then */
export async function run(words: readonly string[], world: World): Promise<ExitCode> {
  const out = new Output(world.stdout, isColoured(world, world.stdout));
  const err = new Output(world.stderr);
  const progress = new Progress({
    terminal: isTerminal(world, world.stderr) ? world.stderr : undefined,
    monotonicMs: () => world.monotonicMs(),
  });
  try {
    return await runCommand(parseCommandLine(words), {
      out,
      err,
      progress,
      now: () => world.now(),
      stopped: () => world.stopped(),
    });
  } catch (thrown) {
    const error = toCommandError(thrown) ?? ownMistake(thrown);
    progress.clear();
    // What there is; that it cannot be written may be the very error, and hides no other.
    await out.flush().catch(() => {});
    err.line(`holdfast: ${withoutPasswords(error.message)}`);
    for (const line of error.trace) err.line(withoutPasswords(line));
    err.line(error.nextStep);
    return error.exitCode;
  } finally {
    progress.clear();
    // Where nobody can be told anything the exit code still says what became of the command.
    await err.flush().catch(() => {});
  }
}

async function runCommand(command: Command, context: CommandContext): Promise<ExitCode> {
  switch (command.name) {
    case 'verify':
      return verify(command, context);
    case 'snapshot':
      return snapshot(command, context);
    case 'move':
      return move(command, context);
    case 'dump':
      return dump(command, context);
    case 'repair':
      return repair(command, context);
    case 'dashboard': {
      // No other command needs an engine, or has to wait for its code.
      const { dashboard } = await import('./dashboard/dashboard.js');
      return dashboard(command, context);
    }
    case 'help':
      for (const line of HELP[command.topic].split('\n')) context.out.line(line);
      break;
    case 'version':
      context.out.line(PACKAGE_VERSION);
  }
  await context.out.flush();
  return EXIT.sound;
}

function isTerminal({ env }: World, stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb';
}

function isColoured(world: World, stream: { readonly isTTY?: boolean }): boolean {
  return isTerminal(world, stream) && (world.env.NO_COLOR ?? '') === '';
}
