import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Library } from './transactions.js';

const INSTALLED = fileURLToPath(new URL('../../prisma/node_modules/', import.meta.url));

/** Why nothing can be tried with Prisma: the reason of a skip. `undefined` where it can. */
export const NO_PRISMA = existsSync(join(INSTALLED, 'prisma'))
  ? undefined
  : 'Prisma is not installed in packages/store-trials/prisma: `node scripts/test.mjs prisma` does it, where a registry answers';

export interface PrismaApplication {
  readonly provider: 'postgresql' | 'mysql';
  /** The store's own package, as the application has it installed. */
  readonly store: { readonly name: string; readonly folder: string };
  /** TypeScript that exports `open`, and imports the generated client from `./generated/client.js`. */
  readonly source: string;
}

/**
 * An application of its own in which Prisma generates its client, compiled against the types of that client. Nothing but npm packages is
 * needed: the client compiles its queries by WebAssembly, and talks to the database through a driver.
 */
export function prismaLibrary<Transaction>(application: PrismaApplication): Library<Transaction> {
  return async (url) => {
    const root = await mkdtemp(join(INSTALLED, '.application-'));
    try {
      await writeApplication(root, application);
      await generate(root);
      await compile(root);
      const { open } = (await import(pathToFileURL(join(root, 'dist', 'app.js')).href)) as {
        open: Library<Transaction>;
      };
      const { run, end } = await open(url);
      return { run, end: () => end().finally(() => remove(root)) };
    } catch (error) {
      await remove(root);
      throw error;
    }
  };
}

async function writeApplication(root: string, { provider, store, source }: PrismaApplication): Promise<void> {
  const schema = `
generator client {
  provider = "prisma-client"
  output   = "./src/generated"
  importFileExtension = "js"
}
datasource db {
  provider = "${provider}"
}
model Purchase {
  id String @id
}
`;
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    types: [],
    lib: ['es2023', 'dom'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  };
  const installed = join(root, 'node_modules', dirname(store.name));
  await mkdir(installed, { recursive: true });
  await mkdir(join(root, 'src'));
  await symlink(store.folder, join(root, 'node_modules', store.name), 'junction');
  await writeFile(join(root, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(root, 'schema.prisma'), schema);
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src/**/*'], exclude: [] }));
  await writeFile(join(root, 'src', 'app.ts'), source);
}

function generate(root: string): Promise<void> {
  return runNode(root, join(INSTALLED, 'prisma', 'build', 'index.js'), ['generate', '--schema', 'schema.prisma'], {
    // Its command line will not start without a program for migrations, which it would download. Generating does not run it: any file will do.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  });
}

function compile(root: string): Promise<void> {
  const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  return runNode(root, join(compiler, 'bin', 'tsc'), ['-p', root], {});
}

async function runNode(cwd: string, script: string, scriptArguments: readonly string[], env: object): Promise<void> {
  const all = { ...process.env, ...env };
  await promisify(execFile)(process.execPath, [script, ...scriptArguments], { cwd, env: all }).catch(
    (error: Error & { readonly stdout?: string; readonly stderr?: string }) => {
      throw new Error(`${script} failed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`, { cause: error });
    },
  );
}

function remove(root: string): Promise<void> {
  return rm(root, { recursive: true, force: true });
}
