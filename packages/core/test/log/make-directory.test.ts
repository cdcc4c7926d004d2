import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const BUILT = new URL('../../dist/log/index.js', import.meta.url);

/** In a process of its own, because what never returns could not be ended here. */
function makeElsewhere(directory: string): string {
  if (!existsSync(fileURLToPath(BUILT)))
    throw new Error('This test starts a process that runs the built package: build it first.');
  const program = `import { NodeFileSystem } from ${JSON.stringify(BUILT.href)};
    try { new NodeFileSystem().createDirectory(process.argv[1]); } catch (error) { console.log(error.code); }`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', program, directory], {
    encoding: 'utf8',
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  return signal === null ? stdout.trim() : `ended by ${signal}`;
}

it('gives up where a directory that is there says that it is not when something is to be made in it', (context) => {
  context.skip(process.platform !== 'linux', '/proc is of Linux');
  expect(makeElsewhere('/proc/holdfast/queue')).toBe('ENOENT');
});
