import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './command.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A package as it would be published. */
export interface Published {
  readonly name: string;
  readonly tarball: string;
}

/** The script that runs pnpm in the version that this workspace pins. */
export const PNPM = join(ROOT, 'scripts', 'pnpm.mjs');

/** Every package of this workspace that is not private. `hasTypes`: it can be imported, and is no command or static file. */
export const PACKAGES = ['packages', 'apps']
  .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name)))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
  .filter(({ manifest }) => manifest.private !== true)
  .map(({ folder, manifest }) => {
    return { name: String(manifest.name), folder, hasTypes: manifest.exports?.['.']?.types !== undefined };
  });

/** Packs all of them into `directory`. */
export async function packAll(directory: string): Promise<Published[]> {
  const published: Published[] = [];
  for (const { name, folder } of PACKAGES) {
    const place = join(directory, name.replace('/', '-'));
    mkdirSync(place, { recursive: true });
    const packed = await run(PNPM, ['--dir', folder, 'pack', '--pack-destination', place], { cwd: ROOT });
    const tarball = readdirSync(place).find((file) => file.endsWith('.tgz'));
    if (packed.code !== 0 || tarball === undefined) throw new Error(`pnpm pack of ${folder} failed:\n${packed.output}`);
    published.push({ name, tarball: join(place, tarball) });
  }
  return published;
}
