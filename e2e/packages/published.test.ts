import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../demo/temporary-directory.js';
import { run } from './command.js';
import { dependenciesOf, KINDS } from './matrix.js';
import { compile, install, writeApps } from './small-apps.js';
import { PACKAGES, type Published, packAll } from './tarballs.js';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let published: readonly Published[];

beforeAll(async () => {
  directory = await temporaryDirectory();
  published = await packAll(join(directory.path, 'tarballs'));
}, 120_000);

afterAll(() => directory.remove());

function binaryOf(name: string, path: string): string {
  return fileURLToPath(new URL(`../node_modules/${name}/${path}`, import.meta.url));
}

function packed(name: string): Published {
  return published.find((one) => one.name === name)!;
}

describe('what is published', () => {
  it.each(PACKAGES)('publint has nothing to say about $name', async ({ name }) => {
    const options = ['run', packed(name).tarball, '--strict'];
    const { code, output } = await run(binaryOf('publint', 'src/cli.js'), options, { cwd: directory.path });
    expect(code, output).toBe(0);
    expect(output).toMatch(/All good!/);
  });

  it.each(PACKAGES.filter(({ hasTypes }) => hasTypes))('attw finds the types of $name', async ({ name }) => {
    // ES modules alone: CommonJS gets them by require, which Node has known since 20.19.
    const options = [packed(name).tarball, '--profile', 'esm-only', '--no-emoji'];
    const { code, output } = await run(binaryOf('@arethetypeswrong/cli', 'dist/index.js'), options, {
      cwd: directory.path,
    });
    expect(code, output).toBe(0);
  });
});

describe('an application that installs the packed packages', () => {
  let root: string;
  let unreachable: string | undefined;

  beforeAll(async () => {
    root = directory.path;
    writeApps(root, KINDS, published);
    unreachable = await install(root);
  }, 120_000);

  it.for(KINDS)('runs a job and shows the dashboard: Nest $nest, $platform, $modules', async (kind, context) => {
    context.skip(unreachable !== undefined, unreachable);
    const app = join(root, 'apps', kind.name);
    const compiled = await compile(app);
    expect(compiled.code, compiled.output).toBe(0);
    const { code, output } = await run(join(app, 'dist', 'main.js'), [], { cwd: app });
    console.log(`Node ${process.version}, ${kind.modules}: ${JSON.stringify(dependenciesOf(kind))}`);
    expect(code, output).toBe(0);
    expect(JSON.parse(output.trim().split('\n').at(-1)!)).toEqual({ result: 42, page: 200, script: 200 });
  });
});
