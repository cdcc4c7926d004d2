import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installAside } from '../../scripts/workspace.mjs';

const LOCKFILE = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      nowhere:
        specifier: 1.0.0
        version: 1.0.0
packages:
  nowhere@1.0.0:
    resolution: {integrity: sha512-${'A'.repeat(86)}==}
snapshots:
  nowhere@1.0.0: {}
`;

/** A folder whose one package is in no store. */
function folderToInstall(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-aside-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const manifest = { name: 'aside', private: true, dependencies: { nowhere: '1.0.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'pnpm-lock.yaml'), LOCKFILE);
  return folder;
}

/** Takes every request, and never answers one. */
async function silentRegistry(): Promise<{ readonly url: string; readonly asked: readonly (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }) => void asked.push(url));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

// Left to itself, pnpm waits for longer than this test may take.
it('gives up a registry that takes a request and says nothing, after one more try', { timeout: 60_000 }, async () => {
  const folder = folderToInstall();
  const registry = await silentRegistry();
  const env = { pnpm_config_registry: registry.url, pnpm_config_store_dir: join(folder, 'store') };
  const failure = await installAside(folder, { silenceMs: 500, env });
  expect(failure).toContain(`its packages could not be installed in ${folder}`);
  expect(failure).toContain('operation timed out');
  expect(registry.asked).toEqual(Array(2).fill('/nowhere/-/nowhere-1.0.0.tgz'));
});
