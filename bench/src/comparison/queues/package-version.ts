import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Name and version, from the package.json above what the name resolves to: not every package lets it be imported. */
export function packageVersion(name: string): string {
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const found: { name?: string; version?: string } = JSON.parse(readFileSync(file, 'utf8'));
    // A folder inside a package may say in one no more than which kind of modules it holds.
    if (found.version !== undefined) return `${found.name} ${found.version}`;
  }
  throw new Error(`The package of ${name} has no package.json with a version.`);
}
