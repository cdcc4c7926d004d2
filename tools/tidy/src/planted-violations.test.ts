import { describe, expect, it } from 'vitest';
import type { Finding } from './finding.js';
import { licenceOf } from './installed-package.js';
import { catalogOf, type Manifest, type Member, membersOf } from './manifest.js';
import { coreLayerFindings } from './rules/core-layers.js';
import { dependencyPageFindings, unknownLicenceFindings } from './rules/dependency-page.js';
import { exampleManifestFindings } from './rules/example-manifests.js';
import { markdownAnchorFindings } from './rules/markdown-anchors.js';
import { markdownLinkFindings } from './rules/markdown-links.js';
import { namedCommitFindings } from './rules/named-commits.js';
import { packageImportFindings } from './rules/package-imports.js';
import { proofFindings } from './rules/proofs.js';
import { publishedManifestFindings } from './rules/published-manifests.js';
import { sizeFindings, staleSizeExceptions } from './rules/size.js';
import { anyTypeFindings, bucketNameFindings, exportAllFindings, logWordFindings } from './rules/wording.js';
import { workflowPinFindings } from './rules/workflow-pins.js';
import { worldFindings } from './rules/world.js';
import { parseSourceFile } from './source-file.js';

/** Each rule is shown one thing that breaks it and must point at exactly that line. */
function places(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line }) => `${path}:${line}`);
}

describe('imports between packages', () => {
  const findings = (path: string, text: string) =>
    packageImportFindings(parseSourceFile(path, text), () => new Set(['fs-native-extensions', 'vitest']));

  it.each([
    ['packages/contract/src/job.ts', `import { readFile } from 'node:fs';`],
    ['packages/core/src/index.ts', `import { HoldfastModule } from '@holdfast/nestjs';`],
    ['packages/core/src/index.ts', `export { render } from '@holdfast/dashboard';`],
    ['packages/core/src/index.ts', `import fastCheck from 'fast-check';`],
    ['packages/core/src/index.ts', `import { Job } from '../../contract/src/job.js';`],
    ['packages/nestjs/src/index.ts', `import { Pool } from 'pg';`],
    ['packages/nestjs/src/index.ts', `import html from '@holdfast/dashboard/dist/index.html';`],
    ['apps/dashboard/src/app.tsx', `import { states } from '@holdfast/contract';`],
    ['apps/dashboard/src/app.tsx', `import type { Queue } from '@holdfast/core';`],
    ['packages/nestjs/src/index.ts', `import { verify } from 'holdfast';`],
    ['packages/cli/src/bin.ts', `import { HoldfastModule } from '@holdfast/nestjs';`],
    ['packages/cli/src/verify/verify.ts', `import { NestFactory } from '@nestjs/core';`],
    ['packages/cli/src/bin.ts', `import yargs from 'yargs';`],
    ['packages/core/src/index.ts', `import { memoryStore } from '@holdfast/testing';`],
    ['packages/testing/src/index.ts', `import { openLogStore } from '@holdfast/core';`],
    ['packages/testing/src/memory/memory-store.ts', `import { expect } from 'vitest';`],
    ['packages/nestjs/src/connection/open-store.ts', `import { memoryStore } from '@holdfast/testing';`],
    ['apps/demo/src/main.ts', `import { measure } from '@holdfast/bench';`],
  ])('%s may not say %s', (path, line) => {
    expect(places(findings(path, `// first line\n${line}\n`))).toEqual([`${path}:2`]);
  });

  it.each([
    ['packages/core/src/index.ts', `import { tryLock } from 'fs-native-extensions';`],
    ['packages/core/src/index.ts', `import { readFile } from 'node:fs';`],
    ['packages/cli/src/bin.ts', `import { examineLog } from '@holdfast/core/log';`],
    ['packages/core/test/model/model.test.ts', `import fastCheck from 'fast-check';`],
    ['packages/core/src/limits.ts', `import { STORE_LIMITS } from '@holdfast/contract/rules';`],
    ['packages/core/test/sim/seeded-random.ts', `export { SeededRandom } from '@holdfast/testing';`],
    ['packages/testing/src/conformance/bench.ts', `import { expect } from 'vitest';`],
    ['packages/nestjs/src/testing/test-surroundings.ts', `import { memoryStore } from '@holdfast/testing';`],
    ['packages/contract/vitest.config.ts', `import { defineConfig } from 'vitest/config';`],
    ['apps/dashboard/src/app.tsx', `import type { JobState } from '@holdfast/contract';`],
    ['apps/dashboard/src/app.tsx', `import { useQuery } from '@tanstack/react-query';`],
    ['e2e/playwright.config.ts', `import { installedChromium } from '../scripts/find-chromium.mjs';`],
  ])('%s may say %s', (path, line) => {
    expect(findings(path, line)).toEqual([]);
  });
});

describe('imports inside core', () => {
  const findings = (path: string, text: string) =>
    coreLayerFindings(parseSourceFile(`packages/core/src/${path}`, text)).map(({ line }) => line);

  it.each([
    ['log/recovery.ts', `import { JobTable } from '../state/job-table.js';`],
    ['state/job-table.ts', `import { scan } from '../log/segmented-log.js';`],
    ['state/job-table.ts', `import type { Stats } from 'node:fs';`],
    ['engine/claims.ts', `import { SegmentWriter } from '../log/segment-writer.js';`],
    ['engine/claims.ts', `import { Queue } from '../queue/queue.js';`],
    ['protocol/messages.ts', `import { LogEngine } from '../engine/log-engine.js';`],
    ['host/port-server.ts', `import { LogStoreClient } from '../client/log-store-client.js';`],
    ['client/port-client.ts', `import { LogEngine } from '../engine/log-engine.js';`],
    ['queue/worker.ts', `const log = await import('../log/segmented-log.js');`],
    ['queue/worker.ts', `import { systemClock } from '../system-clock.js';`],
    ['log/segmented-log.ts', `import { NodeFileSystem } from './node-file-system.js';`],
    ['limits.ts', `import { JobState } from '@holdfast/contract';`],
  ])('%s may not say %s', (path, line) => {
    expect(findings(path, `\n\n${line}\n`)).toEqual([3]);
  });

  it.each([
    ['engine/claims.ts', `import type { FileSystem } from '../log/file-system.js';`],
    ['engine/claims.ts', `import { JobTable } from '../state/job-table.js';`],
    ['open-log-store.ts', `import { systemClock } from './system-clock.js';`],
    ['host/engine-thread.ts', `import { NodeFileSystem } from '../log/node-file-system.js';`],
    ['log/index.ts', `export { NodeFileSystem } from './node-file-system.js';`],
    ['queue/worker.test.ts', `import { openLogStore } from '../open-log-store.js';`],
  ])('%s may say %s', (path, line) => {
    expect(findings(path, line)).toEqual([]);
  });
});

describe('time and chance', () => {
  const names = (path: string, text: string) =>
    worldFindings(parseSourceFile(path, text)).map(({ line, message }) => `${line} ${message}`);

  it('finds each use outside of the seams', () => {
    const text =
      'const a = Date.now();\nconst b = Math.random();\nconst c = performance.now();\nconst d = new Date();\n';
    expect(names('packages/core/src/engine/claims.ts', text)).toEqual([
      '1 uses Date.now; take it by argument',
      '2 uses Math.random; take it by argument',
      '3 uses performance.now; take it by argument',
      '4 uses new Date(); take it by argument',
    ]);
    expect(names('packages/core/src/system-clock.ts', text)).toEqual([]);
  });

  it('lets a date be made of a number, but not in state/, which also has no timers', () => {
    const text = 'const a = new Date(nowMs);\nsetTimeout(wake, 5);\nconst b = Math.max(1, 2);\n';
    expect(names('packages/core/src/engine/claims.ts', text)).toEqual([]);
    expect(names('packages/core/src/state/lease-table.ts', text)).toEqual([
      '1 uses new Date(…); take it by argument',
      '2 uses setTimeout; take it by argument',
    ]);
  });
});

describe('sizes', () => {
  const path = 'packages/core/src/queue/worker.ts';
  const longFunction = (lines: number) => `class Worker {\n  run() {\n${'    step();\n'.repeat(lines - 2)}  }\n}\n`;

  it('takes 60 lines for a function, and no more', () => {
    expect(sizeFindings(parseSourceFile(path, longFunction(60)), [])).toEqual([]);
    expect(sizeFindings(parseSourceFile(path, longFunction(61)), [])).toEqual([
      { path, line: 2, message: 'run has 61 lines, more than 60' },
    ]);
  });

  it('takes 400 lines for a file, and no more', () => {
    expect(sizeFindings(parseSourceFile(path, 'step();\n'.repeat(400)), [])).toEqual([]);
    expect(places(sizeFindings(parseSourceFile(path, 'step();\n'.repeat(401)), []))).toEqual([`${path}:401`]);
  });

  it('takes an exception up to its own limit, and asks for its removal once it is not needed', () => {
    const exception = { path, functionName: 'run', linesMax: 70, reason: 'a table' };
    const long = parseSourceFile(path, longFunction(70));
    expect(sizeFindings(long, [exception])).toEqual([]);
    expect(sizeFindings(parseSourceFile(path, longFunction(71)), [exception])).toHaveLength(1);
    expect(staleSizeExceptions([long], [exception])).toEqual([]);
    expect(staleSizeExceptions([parseSourceFile(path, longFunction(60))], [exception])).toEqual([exception]);
  });
});

describe('words and names', () => {
  it('finds a word of the queue in the log', () => {
    const path = 'packages/core/src/log/frame-codec.ts';
    expect(places(logWordFindings({ path, text: '// bytes\n// of a Job\n' }))).toEqual([`${path}:2`]);
    expect(logWordFindings({ path: 'packages/core/src/state/job-table.ts', text: '// a job' })).toEqual([]);
  });

  it.each(['packages/core/src/utils.ts', 'packages/core/src/helpers/text.ts', 'tools/tidy/src/misc.test.ts'])(
    'refuses the name %s',
    (path) => {
      expect(places(bucketNameFindings(parseSourceFile(path, '')))).toEqual([`${path}:1`]);
    },
  );

  it('finds a face that exports everything of another folder', () => {
    const text =
      "export * from './job.js';\nexport * from './state/job-table.js';\nexport * as log from '../log/index.js';\n";
    expect(places(exportAllFindings(parseSourceFile('a/index.ts', text)))).toEqual(['a/index.ts:2', 'a/index.ts:3']);
  });

  it('finds the type any, and not the word', () => {
    const text = "// any\nconst text = 'any';\nfunction take(value: any[]) {}\n";
    expect(places(anyTypeFindings(parseSourceFile('a/take.ts', text)))).toEqual(['a/take.ts:3']);
  });
});

describe('links', () => {
  const paths = new Set(['', 'docs', 'docs/log-format.md', 'README.md']);

  it('finds a link that leads nowhere', () => {
    const text = 'See [the format](docs/log-format.md#frames).\nSee [this](docs/lost.md) and ![that](lost.png).\n';
    expect(places(markdownLinkFindings({ path: 'README.md', text }, paths))).toEqual(['README.md:2', 'README.md:2']);
  });

  it('follows links from the folder of the page, and leaves the web, anchors and code alone', () => {
    const text = '[up](../README.md) [web](https://example.com) [here](#a) `[x](y)`\n```\n[x](y)\n```\n[docs](./)\n';
    expect(markdownLinkFindings({ path: 'docs/log-format.md', text }, paths)).toEqual([]);
  });
});

describe('links to headings', () => {
  const page = {
    path: 'docs/workers.md',
    text: '# Workers\n\n## `close()`: how, and when\n\n## Twice\n\n## Twice\n\n```\n# code\n```\n',
  };
  const lines = (text: string) => markdownAnchorFindings([page, { path: 'README.md', text }]).map(({ line }) => line);

  it('finds one that the page does not have', () => {
    expect(lines('# Top\n[a](docs/workers.md#code)\n[b](#bottom)\n[c](docs/workers.md#twice-2)\n')).toEqual([2, 3, 4]);
  });

  it('knows headings by the names that GitHub gives them, and leaves other pages alone', () => {
    const links = [
      '#top',
      'docs/workers.md#close-how-and-when',
      'docs/workers.md#twice-1',
      'lost.md#a',
      'https://a.b/#c',
    ];
    expect(lines(`# Top\n${links.map((link) => `[x](${link})`).join('\n')}\n\`[y](#z)\`\n`)).toEqual([]);
  });
});

describe('proofs', () => {
  const promises = [
    {
      path: 'docs/reliability.md',
      text: '| | name | rule |\n| --- | --- | --- |\n| 1 | no loss | A job is there. |\n',
    },
    { path: 'docs/job-lifecycle.md', text: '| # | rule |\n| --- | --- |\n| J1 | One state. |\n' },
    {
      path: 'docs/recovery.md',
      text: '| after | what |\n| --- | --- |\n\n| when it happens | what |\n| --- | --- |\n',
    },
    { path: 'a/life.test.ts', text: "it('keeps jobs', () => {});\nit(`lives (again)`, () => {});\n" },
  ];
  const found = (...rows: string[]) => {
    const text = ['| promise | file | test |', '| --- | --- | --- |', ...rows, ''].join('\n');
    return proofFindings([...promises, { path: 'docs/proofs.md', text }]).map(({ path, line }) => `${path}:${line}`);
  };

  it('finds nothing where each promise has a test', () => {
    expect(found('| 1 | `a/life.test.ts` | keeps jobs |', '| J1 | `a/life.test.ts` | lives |')).toEqual([]);
  });

  it('finds a promise without a test, and a test or a file that is not there', () => {
    expect(
      found('| 1 | `a/life.test.ts` | keeps job |', '|  | `a/lost.test.ts` | lives |', '| J1 | nothing |'),
    ).toEqual(['docs/proofs.md:3', 'docs/proofs.md:4', 'docs/proofs.md:5', 'docs/job-lifecycle.md:3']);
  });
});

const repository = { url: 'git+https://example.com/holdfast.git' };
const root = { engines: { node: '>=20' }, license: 'MIT', repository };
const whole: Manifest = {
  name: '@holdfast/core',
  version: '1.2.3',
  description: 'A queue',
  license: 'MIT',
  repository: { ...repository, directory: 'packages/core' },
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  files: ['dist', '!dist/**/*.map'],
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  },
  publishConfig: { access: 'public' },
};

describe('manifests of what is published', () => {
  const messages = (manifest: Manifest, more: readonly Member[] = []) =>
    publishedManifestFindings([{ folder: 'packages/core', manifest }, ...more], root, ['@holdfast/core']).map(
      ({ message }) => message,
    );

  it('takes one that is whole', () => {
    expect(messages(whole)).toEqual([]);
  });

  it.each([
    'version',
    'description',
    'license',
    'repository',
    'type',
    'sideEffects',
    'engines',
    'files',
    'publishConfig',
  ] as const)('misses %s', (field) => {
    const { [field]: _, ...rest } = whole;
    expect(messages(rest as Manifest)).not.toEqual([]);
  });

  it('finds exports without types, and dependencies that nobody can install', () => {
    const exports = { ...whole.exports, './log': { default: './dist/log.js' } };
    expect(messages({ ...whole, exports })).toEqual(['exports ./log without types, or not before default']);
    expect(messages({ ...whole, dependencies: { '@holdfast/trials': 'workspace:^' } })).toEqual([
      'depends on @holdfast/trials, which is not published',
    ]);
    expect(messages({ ...whole, peerDependenciesMeta: { pg: { optional: true } } })).toHaveLength(1);
  });

  it('finds what is published by mistake, and what is released but not published', () => {
    const tool = { folder: 'tools/tidy', manifest: { name: '@holdfast/tidy' } };
    expect(messages(whole, [tool])).toEqual(['is not published, and has to say "private": true']);
    expect(messages({ ...whole, private: true })).toEqual(['@holdfast/core is not published']);
  });
});

describe('the page of dependencies', () => {
  const manifest = {
    ...whole,
    dependencies: { zod: 'catalog:' },
    peerDependencies: { rxjs: '^7 || ^8' },
    devDependencies: { react: '19.0.0', vite: '8.0.0' },
  };
  const catalog = catalogOf({ path: 'pnpm-workspace.yaml', text: 'catalog:\n  zod: 4.5.6 # newest\n\nother: 1\n' });
  const facts = { licence: 'MIT', bytes: 1500, runsOnInstall: false, needs: [] };
  const lines = (...rows: string[]) => {
    const react = '| `@holdfast/core` | `react` | 19.0.0 | ISC, MIT | draws |';
    const text = ['| package | dependency | version |', '| --- | --- | --- |', react, ...rows].join('\n');
    return dependencyPageFindings(
      { path: 'docs/dependencies.md', text },
      [{ folder: 'packages/core', manifest }],
      catalog,
      () => [
        { name: 'zod', ...facts },
        { name: 'is-odd', ...facts, licence: 'ISC' },
      ],
      () => new Set(['react']),
    ).map(({ line }) => line);
  };
  const zod = '| `@holdfast/core` | `zod` | 4.5.6 | ISC, MIT | 3 kB | is-odd | none |';
  const rxjs = '| `@holdfast/core` | `rxjs` | ^7 \\|\\| ^8 | needed |';

  it('takes a page on which everything is so', () => {
    expect(lines(`${zod} checks |`, `${rxjs} Nest |`)).toEqual([]);
  });

  it('finds what is missing, what is not so, and what has no reason', () => {
    expect(lines(`${zod} checks |`)).toEqual([1]);
    expect(lines(`${zod} checks |`, `${rxjs} Nest |`, '| `@holdfast/core` | `pg` | 1 | needed | why |')).toEqual([6]);
    expect(lines(`${zod.replace('4.5.6', '4.5.7')} checks |`, `${rxjs} Nest |`)).toEqual([1, 4]);
    expect(lines(`${zod} |`, `${rxjs} Nest |`)).toEqual([4]);
  });
});

describe('commits that pages name', () => {
  it('are found where the history does not have them', () => {
    const text = 'Measured at 8657f4c,\nand at cd5f90e on 2 cores: at 1000000 jobs, at defaced.';
    expect(namedCommitFindings({ path: 'docs/speed.md', text }, [`8657f4c${'0'.repeat(33)}`])).toEqual([
      { path: 'docs/speed.md', line: 2, message: 'names the commit cd5f90e, which is not in the history' },
    ]);
  });
});

describe('licences', () => {
  it('are read in each of the ways that npm has known', () => {
    expect(licenceOf({ license: 'MIT' })).toBe('MIT');
    expect(licenceOf({ license: { type: 'ISC' } })).toBe('ISC');
    expect(licenceOf({ licenses: [{ type: 'MIT' }, { type: 'Apache-2.0' }] })).toBe('MIT OR Apache-2.0');
    expect([licenceOf({}), licenceOf({ license: '' }), licenceOf({ licenses: [{}] })]).toEqual(
      Array(3).fill('unknown'),
    );
  });

  it('that are unknown are found, of what is needed and of what is bundled', () => {
    const member = {
      folder: 'packages/core',
      manifest: { ...whole, dependencies: { zod: '4' }, devDependencies: { react: '19', vite: '8' } },
    };
    const facts = { bytes: 1, runsOnInstall: false, needs: [] };
    const found = (licence: string) =>
      unknownLicenceFindings(
        [member],
        (_, name) => [{ name: `${name}-part`, licence, ...facts }],
        () => new Set(['react']),
      );
    expect(found('MIT')).toEqual([]);
    expect(found('unknown').map(({ message }) => message)).toEqual([
      'brings zod-part, whose licence is unknown',
      'brings react-part, whose licence is unknown',
    ]);
  });
});

describe('manifests of examples', () => {
  const found = (dependencies: Record<string, string>) =>
    exampleManifestFindings(
      membersOf([
        { path: 'packages/core/package.json', text: JSON.stringify(whole) },
        { path: 'examples/a/package.json', text: JSON.stringify({ name: 'a', dependencies }) },
      ]),
      new Map([['rxjs', '7.8.2']]),
    ).map(({ message }) => message);

  it('takes versions that can be copied', () => {
    expect(found({ '@holdfast/core': '^1.2.3', rxjs: '7.8.2', nodemailer: '1.0.0' })).toEqual([]);
  });

  it.each([
    ['@holdfast/core', 'workspace:^'],
    ['@holdfast/core', '^1.2.2'],
    ['rxjs', 'catalog:'],
    ['rxjs', '7.8.1'],
    ['nodemailer', 'latest'],
  ])('refuses %s %s', (name, range) => {
    expect(found({ [name]: range })).toHaveLength(1);
  });
});

it('finds an action that is named by a tag, or by a commit of which nobody can tell the version', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';
  const uses = (text: string) =>
    workflowPinFindings({ path: '.github/workflows/ci.yml', text: `steps:\n      - uses: ${text}\n` });
  expect(uses(`actions/checkout@${commit} # v4.2.2`)).toEqual([]);
  for (const text of ['actions/checkout@v4', 'actions/checkout@v4 # v4.2.2', `actions/checkout@${commit}`]) {
    expect(places(uses(text))).toEqual(['.github/workflows/ci.yml:2']);
  }
});
