import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { firstLoadBytes } from '../../bench/src/dashboard/first-load.js';
import { temporaryDirectory } from '../demo/temporary-directory.js';
import { NodeProcess, post } from '../examples/node-process.js';
import { run } from './command.js';
import { dependenciesOf, KINDS } from './matrix.js';
import { FIRST_LOAD_LIMITS, SIZE_LIMITS } from './size-limits.js';
import { compile, copyExample, install, writeApps, writeReadmeApp } from './small-apps.js';
import { tarballSize } from './tarball-size.js';
import { PACKAGES, type Published, packAll } from './tarballs.js';

/** One of ES modules and one of CommonJS: what `nest new` has made, and makes. */
const README_KINDS = KINDS.filter(({ name }) => ['nest12-express', 'nest11-express-commonjs'].includes(name));
/** docs/nestjs.md has them as a table. */
const COMMONJS_SETTINGS: readonly { readonly options: string; readonly errors: readonly string[] }[] = [
  { options: '--module nodenext', errors: [] },
  { options: '--module node20', errors: [] },
  { options: '--module commonjs --moduleResolution bundler', errors: [] },
  { options: '--module node16', errors: ['TS1479'] },
  { options: '--module node18', errors: ['TS1479'] },
  { options: '--module commonjs --moduleResolution node10', errors: ['TS5108'] },
];
const EXAMPLES = readdirSync(fileURLToPath(new URL('../../examples', import.meta.url)), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

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

describe('sizes', () => {
  it.each(PACKAGES)('$name has room', ({ name }) => {
    const { packedBytes, unpackedBytes } = tarballSize(packed(name).tarball);
    const size = { packedKb: Math.ceil(packedBytes / 1000), unpackedKb: Math.ceil(unpackedBytes / 1000) };
    console.log(`${name}: ${size.packedKb} kB packed, ${size.unpackedKb} kB unpacked`);
    const limits = SIZE_LIMITS[name];
    if (limits === undefined) throw new Error(`${name} has no limits in size-limits.ts`);
    expect(size.packedKb).toBeLessThanOrEqual(limits.packedKb);
    expect(size.unpackedKb).toBeLessThanOrEqual(limits.unpackedKb);
    // A limit that is far away guards nothing.
    expect(limits.packedKb).toBeLessThan(2 * size.packedKb);
    expect(limits.unpackedKb).toBeLessThan(2 * size.unpackedKb);
  });

  it('the dashboard loads little before it shows anything', () => {
    const { script, style } = firstLoadBytes();
    console.log(
      `first load, gzipped: ${Math.ceil(script / 1000)} kB of scripts, ${Math.ceil(style / 1000)} kB of styles`,
    );
    expect(script).toBeGreaterThan(0);
    expect(script).toBeLessThanOrEqual(1000 * FIRST_LOAD_LIMITS.scriptKb);
    expect(style).toBeLessThanOrEqual(1000 * FIRST_LOAD_LIMITS.styleKb);
  });
});

describe('an application that installs the packed packages', () => {
  let root: string;
  let unreachable: string | undefined;

  beforeAll(async () => {
    root = directory.path;
    writeApps(root, KINDS, published);
    for (const kind of README_KINDS) writeReadmeApp(root, kind, published);
    for (const example of EXAMPLES) copyExample(root, example);
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

  it.for(COMMONJS_SETTINGS)('compiles to CommonJS as docs/nestjs.md says: $options', async (setting, context) => {
    context.skip(unreachable !== undefined, unreachable);
    const { options, errors } = setting;
    const app = join(root, 'apps', 'nest11-express-commonjs');
    const { code, output } = await compile(app, '--noEmit', ...options.split(' '));
    expect([...new Set(output.match(/TS\d+/g))], output).toEqual(errors);
    expect(code === 0).toBe(errors.length === 0);
  });

  it.for(README_KINDS)('is that of the README, word for word: Nest $nest, $modules', async (kind, context) => {
    context.skip(unreachable !== undefined, unreachable);
    const app = join(root, 'apps', `readme-${kind.name}`);
    const compiled = await compile(app);
    expect(compiled.code, compiled.output).toBe(0);
    const shop = new NodeProcess(join(app, 'dist', 'main.js'), app);
    onTestFinished(() => shop.kill());
    const port = await shop.said(/The dashboard is at http:\/\/.+:(\d+)\/admin\/queues/);
    const placed = await post(`http://127.0.0.1:${port}/orders`, { id: 'o-1', email: 'ada@example.org' });
    expect(placed).toEqual({ receipt: expect.any(String) });
    expect(await shop.said(/^attempt 1 sent (.+)/)).toContain('<order-o-1@shop.example>');
    expect((await fetch(`http://127.0.0.1:${port}/admin/queues`)).status).toBe(200);
    expect(await shop.stop(), shop.output).toBe('SIGTERM');
    const verified = await run(join(app, 'node_modules', 'holdfast', 'dist', 'bin.js'), ['verify', 'data/queue'], {
      cwd: app,
    });
    expect(verified.code, verified.output).toBe(0);
    expect(verified.output).toMatch(/^Clean: /m);
  });

  it.for(EXAMPLES)('is a copy of the example %s, which compiles', async (example, context) => {
    context.skip(unreachable !== undefined, unreachable);
    const { code, output } = await compile(join(root, 'apps', `example-${example}`));
    expect(code, output).toBe(0);
  });
});
