import { expect, it } from 'vitest';
import { type Finding, formatFinding } from './finding.js';
import { dependenciesOf, projectFiles, projectPaths, projectSources } from './project-files.js';
import { coreLayerFindings } from './rules/core-layers.js';
import { markdownLinkFindings } from './rules/markdown-links.js';
import { packageImportFindings } from './rules/package-imports.js';
import { proofFindings } from './rules/proofs.js';
import { sizeFindings, staleSizeExceptions } from './rules/size.js';
import { anyTypeFindings, bucketNameFindings, exportAllFindings, logWordFindings } from './rules/wording.js';
import { worldFindings } from './rules/world.js';
import { sizeExceptions } from './size-exceptions.js';

const sources = projectSources();

function expectNone(findings: readonly Finding[]): void {
  expect(findings.map(formatFinding).join('\n')).toBe('');
}

it('each package imports only what stands below it', () => {
  expectNone(sources.flatMap((file) => packageImportFindings(file, dependenciesOf)));
});

it('inside core, each folder imports only what it may know', () => {
  expectNone(sources.flatMap(coreLayerFindings));
});

it('time and chance come into core by argument', () => {
  expectNone(sources.flatMap(worldFindings));
});

it('the log has no word of the queue', () => {
  expectNone(projectFiles(['']).flatMap(logWordFindings));
});

it('no file and no function outgrows its room', () => {
  expectNone(sources.flatMap((file) => sizeFindings(file, sizeExceptions)));
});

it('every exception from the sizes is still needed', () => {
  expect(staleSizeExceptions(sources, sizeExceptions)).toEqual([]);
});

it('files are named after things', () => {
  expectNone(sources.flatMap(bucketNameFindings));
});

it('a face names what it exports', () => {
  expectNone(sources.flatMap(exportAllFindings));
});

it('nothing has the type any', () => {
  expectNone(sources.flatMap(anyTypeFindings));
});

it('links in the documentation lead somewhere', () => {
  const paths = projectPaths();
  expectNone(projectFiles(['.md']).flatMap((file) => markdownLinkFindings(file, paths)));
});

it('each promise of the documentation is proven by a test that is there', () => {
  expectNone(proofFindings(projectFiles(['.md', '.test.ts'])));
});
