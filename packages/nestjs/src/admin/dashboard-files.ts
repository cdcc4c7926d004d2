import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';

/** One file of the dashboard, as it is sent. */
export interface DashboardFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Where the build puts files whose names carry a hash of their content. */
export const HASHED_FILES = 'assets/';
const INDEX = 'index.html';

/**
 * The built dashboard in memory, by name relative to its folder. A request can only ever name an entry of this map: no part of
 * a URL is joined to a path on the disk.
 */
export class DashboardFiles {
  readonly #files: ReadonlyMap<string, DashboardFile>;
  /** The page all routes of the dashboard start from; `undefined` if the dashboard is not built. */
  readonly index: string | undefined;

  constructor(files: ReadonlyMap<string, Buffer>) {
    this.index = files.get(INDEX)?.toString('utf8');
    this.#files = new Map(
      [...files].filter(([name]) => name !== INDEX).map(([name, bytes]) => [name, describeFile(name, bytes)]),
    );
  }

  file(name: string): DashboardFile | undefined {
    return this.#files.get(name);
  }

  /** Reads all regular files below a directory; a directory that does not exist gives an empty set. */
  static async read(directory: string): Promise<DashboardFiles> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    });
    const files = new Map<string, Buffer>();
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files.set(relative(directory, path).split(sep).join('/'), await readFile(path));
    }
    return new DashboardFiles(files);
  }

  /** Reads the build of the package @holdfast/dashboard. */
  static readInstalled(): Promise<DashboardFiles> {
    const manifest = createRequire(import.meta.url).resolve('@holdfast/dashboard/package.json');
    return DashboardFiles.read(join(dirname(manifest), 'dist'));
  }
}

function describeFile(name: string, bytes: Buffer): DashboardFile {
  return {
    bytes,
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    // Private, because whoever may not see the dashboard may not have its files from a shared cache either.
    cacheControl: name.startsWith(HASHED_FILES) ? 'private, max-age=31536000, immutable' : 'private, no-cache',
  };
}
