import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Clock, InvalidArgumentError } from '@holdfast/contract';
import type { Handler } from '../queue/handler.js';
import { IsolatePool } from './isolate-pool.js';
import { processIsolates } from './process-isolate.js';
import { threadIsolates } from './thread-isolate.js';

/** Handlers that run outside of this thread: see docs/isolation.md. */
export interface IsolationOptions {
  /**
   * `thread`: they cannot block this thread, and one that does not end is killed. `process`: nor can they end this process, or take its
   * memory with them. As many as `concurrency` at most.
   */
  readonly isolation?: 'thread' | 'process' | undefined;
  /** The module with the handlers, as a `file:` URL or an absolute path. Its default export is a handler for all names, or handlers by name. */
  readonly file?: string | URL | undefined;
  /** The names that the file handles. Default: all that have no handler here. */
  readonly names?: readonly string[] | undefined;
}

export interface IsolatedHandlers {
  readonly handler: Handler;
  readonly onClose: () => Promise<void>;
}

/**
 * `undefined` where nothing is to be isolated. Nothing is started before the first job comes.
 * @throws InvalidArgumentError
 */
export function isolatedHandlers(options: IsolationOptions, clock: Clock): IsolatedHandlers | undefined {
  const { isolation, file, names } = options;
  if (isolation === undefined) {
    if (file !== undefined)
      throw new InvalidArgumentError('isolation', isolation, 'thread or process, for a file of handlers');
    if (names !== undefined) throw new InvalidArgumentError('names', names, 'absent without a file of handlers');
    return undefined;
  }
  if (isolation !== 'thread' && isolation !== 'process') {
    throw new InvalidArgumentError('isolation', isolation, 'thread or process');
  }
  const module = moduleUrl(file);
  const start = isolation === 'thread' ? threadIsolates(module) : processIsolates(module);
  const pool = new IsolatePool({ isolation, start, clock });
  return { handler: pool.handler, onClose: () => pool.close() };
}

function moduleUrl(file: string | URL | undefined): string {
  if (file instanceof URL && file.protocol === 'file:') return file.href;
  if (typeof file === 'string' && file.startsWith('file:')) return new URL(file).href;
  if (typeof file === 'string' && isAbsolute(file)) return pathToFileURL(file).href;
  throw new InvalidArgumentError(
    'file',
    file,
    "a file: URL or an absolute path: new URL('./handlers.js', import.meta.url)",
  );
}
