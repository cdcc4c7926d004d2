import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const COMPILER = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** As strict as an application may be; what an application needs for Nest's decorators. */
const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: false,
  rootDir: 'src',
  outDir: 'dist',
};

/**
 * Compiles sources (`src/…` → text) as an application that has this package installed, and answers where the JavaScript
 * of `src` is. Rejects with the compiler's messages. The place is inside the package, where Nest resolves, and is removed
 * when the test ends, or whenever `removeLater` calls.
 */
export async function compileProgram(
  sources: ReadonlyMap<string, string>,
  removeLater: (remove: () => void) => void = onTestFinished,
): Promise<string> {
  const root = mkdtempSync(join(PACKAGE, 'node_modules', '.program-'));
  removeLater(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module' }));
  mkdirSync(join(root, 'node_modules', '@holdfast'), { recursive: true });
  symlinkSync(PACKAGE, join(root, 'node_modules', '@holdfast', 'nestjs'), 'junction');
  writeFileSync(
    join(root, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: [...sources.keys()] }),
  );
  for (const [path, text] of sources) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  await promisify(execFile)(process.execPath, [COMPILER, '-p', root]).catch((error: Error & { stdout?: string }) => {
    throw new Error(`The program does not compile:\n${error.stdout ?? error.message}`);
  });
  return join(root, 'dist');
}
