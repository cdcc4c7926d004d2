import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { codeOf, textOf } from './child.js';
import { scratchDirectory } from './rig.js';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it('says what to install where the package of a database is missing', async () => {
  const hidden = ['--import', pathOf('./children/hide-postgres.mjs'), pathOf('../dist/bin.js')];
  const words = ['move', 'here', 'postgres://127.0.0.1:1/none'];
  // A path of the package manager that runs the tests would find it all the same.
  const env = { ...process.env, NODE_PATH: '' };
  const child = spawn(process.execPath, [...hidden, ...words], { stdio: 'pipe', cwd: scratchDirectory(), env });
  expect(await textOf(child.stderr)).toContain('npm install @holdfast/store-postgres');
  expect(await codeOf(child)).toBe(3);
});
