import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside both `src` and `dist`. */
const DIRECTORY = join(import.meta.dirname, '..', '..', 'public');

export interface ShopFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Read once; what is served is looked up here by its exact name, and never on the disk. */
export const SHOP_FILES: ReadonlyMap<string, ShopFile> = new Map(
  (
    [
      ['index.html', 'text/html; charset=utf-8'],
      ['shop.css', 'text/css; charset=utf-8'],
      ['shop.js', 'text/javascript; charset=utf-8'],
      ['icon.svg', 'image/svg+xml'],
    ] as const
  ).map(([name, contentType]) => [name, { contentType, bytes: readFileSync(join(DIRECTORY, name)) }]),
);
