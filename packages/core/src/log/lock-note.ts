import { readFileSync } from 'node:fs';

/** Who last noted in a lock file that they hold it; `undefined` where that cannot be read. */
export function readHolderPid(path: string): number | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof note !== 'object' || note === null || !('pid' in note)) return undefined;
    return typeof note.pid === 'number' ? note.pid : undefined;
  } catch {
    // The holder may be writing it at this moment.
    return undefined;
  }
}
