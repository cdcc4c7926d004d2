import { inspect } from 'node:util';
import { type HoldfastErrorCode, LogCorruptError, LogVersionError, StoreLockedError } from '@holdfast/contract';
import type { MoveInterruptedError, MoveRefusedError } from '@holdfast/contract/moving';
import { EXIT, type ExitCode } from './exit-code.js';

/** Why a command ends early: what happened, and what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  readonly nextStep: string;

  constructor(exitCode: ExitCode, message: string, nextStep: string, options?: { cause?: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
    this.nextStep = nextStep;
  }

  /** Of a mistake of this program: where it came from, by lines. */
  get trace(): string[] {
    return this.exitCode === EXIT.mistake ? inspect(this.cause).split('\n') : [];
  }
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  ENOENT: 'Check the path; a program that is running may also have just removed the file: then try again.',
  EACCES: 'Run the command as the user that owns the log.',
  EPERM: 'Run the command as the user that owns the log.',
  EIO: 'The disk cannot read its own blocks: copy the directory with a tool for failing disks first, then repair the copy.',
  EMFILE: 'Raise the limit of open files (ulimit -n): each segment is one.',
  ENOSPC: 'Make room, or choose a target on another disk.',
  EROFS: 'Choose a target on a disk that can be written.',
  EEXIST: 'Something else is made there at this moment: choose another target.',
  ELOOP: 'A segment must be a file, not a link to one: copy the directory with the files themselves.',
  EFTYPE: 'A segment must be a regular file: move away what is not yours.',
};

const ANOTHER_PORT = 'Choose another port, or leave --port out.';

/** An error that nobody has foreseen, with all that helps to find it. */
export function ownMistake(thrown: unknown): CommandError {
  const nextStep =
    'This is a mistake of Holdfast and says nothing about the log. Please report it with the lines above.';
  return new CommandError(EXIT.mistake, 'an error that should not happen.', nextStep, { cause: thrown });
}

/** Every error that a disk or a log can give, with its exit code; `undefined` for anything else, which is a mistake of this program. */
export function toCommandError(thrown: unknown): CommandError | undefined {
  if (thrown instanceof CommandError) return thrown;
  const cause = { cause: thrown };
  if (thrown instanceof LogCorruptError) {
    const message = `${thrown.file} is damaged at byte ${thrown.offset}: ${thrown.problem}.`;
    return new CommandError(EXIT.damaged, message, 'See what can be saved: holdfast repair --help', cause);
  }
  if (thrown instanceof LogVersionError) {
    const message = `${thrown.file} cannot be read: ${thrown.problem}.`;
    return new CommandError(EXIT.unknownFormat, message, 'Use the version of holdfast that wrote the log.', cause);
  }
  if (thrown instanceof StoreLockedError) {
    return new CommandError(EXIT.refused, thrown.message, 'Try again when its owner has ended.', cause);
  }
  if (hasCode<MoveRefusedError>(thrown, 'MOVE_REFUSED')) {
    return new CommandError(EXIT.refused, `${thrown.location} ${thrown.problem}.`, thrown.nextStep, cause);
  }
  if (hasCode<MoveInterruptedError>(thrown, 'MOVE_INTERRUPTED')) {
    return new CommandError(EXIT.unreadable, thrown.message, thrown.nextStep, cause);
  }
  if (hasCode(thrown, 'INVALID_ARGUMENT') || isNoUrl(thrown)) {
    return new CommandError(EXIT.usage, thrown.message, 'See holdfast <command> --help.', cause);
  }
  if (isWrongAddress(thrown)) return new CommandError(EXIT.unreadable, thrown.message, CHECK_ADDRESS, cause);
  if (hasCode(thrown, 'STORE_FAILED') && isOfDisk(thrown.cause)) return toCommandError(thrown.cause);
  if (hasCode(thrown, 'STORE_FAILED') || hasCode(thrown, 'STORE_FULL')) {
    const nextStep = 'Run the command again: what was not finished is not there, and what was finished is found.';
    return new CommandError(EXIT.unreadable, thrown.message, nextStep, cause);
  }
  if (hasCode(thrown, 'STORE_OPEN_FAILED'))
    return new CommandError(EXIT.unreadable, thrown.message, 'Nothing was changed.', cause);
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  // The system's own codes: ENOENT and so on. Those of Node (ERR_…) are mistakes of this program.
  if (!(thrown instanceof Error) || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  const nextStep = isOfPort(thrown) ? ANOTHER_PORT : (NEXT_STEPS[code] ?? 'Nothing was changed.');
  return new CommandError(EXIT.unreadable, thrown.message, nextStep, cause);
}

/** By its code: the package of a database may have brought classes of its own along. */
function hasCode<Known extends Error>(thrown: unknown, code: HoldfastErrorCode): thrown is Known {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}

/** What a log that is made here failed with. Its own words are for an application, which enqueues. */
function isOfDisk(cause: unknown): cause is Error {
  return cause instanceof Error && 'code' in cause && ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'].includes(String(cause.code));
}

/** In use, or kept for others by the system. */
function isOfPort(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'listen';
}

/** What Node says of a URL that is none, in the words of the command line. */
function isNoUrl(thrown: unknown): thrown is Error {
  return thrown instanceof TypeError && 'code' in thrown && thrown.code === 'ERR_INVALID_URL';
}

const CHECK_ADDRESS = 'Check the URL, or create the database.';
/**
 * Of the drivers: nobody listens there or has the name; no such database; the user is refused. The last two as PostgreSQL and as MySQL say
 * them.
 */
const WRONG_ADDRESS =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|3D000|28\w{3}|ER_BAD_DB_ERROR|ER_(?:DB)?ACCESS_DENIED(?:_NO_PASSWORD)?_ERROR)$/;

/** What no second try mends. */
function isWrongAddress(thrown: unknown): thrown is Error {
  if (!hasCode(thrown, 'STORE_FAILED') && !hasCode(thrown, 'STORE_OPEN_FAILED')) return false;
  const { cause } = thrown;
  return cause instanceof Error && 'code' in cause && WRONG_ADDRESS.test(String(cause.code));
}
