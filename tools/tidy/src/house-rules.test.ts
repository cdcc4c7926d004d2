import { expect, it } from 'vitest';
import { type Finding, formatFinding } from './finding.js';
import { commitHistory } from './history.js';
import { installedWith } from './installed-package.js';
import { catalogOf, isPublished, membersOf } from './manifest.js';
import { dependenciesOf, projectFiles, projectPaths, projectSources, type TextFile } from './project-files.js';
import { coreLayerFindings } from './rules/core-layers.js';
import { DEPENDENCY_PAGE, dependencyPageFindings, unknownLicenceFindings } from './rules/dependency-page.js';
import { exampleManifestFindings } from './rules/example-manifests.js';
import { markdownAnchorFindings } from './rules/markdown-anchors.js';
import { markdownLinkFindings } from './rules/markdown-links.js';
import { namedCommitFindings } from './rules/named-commits.js';
import { packageImportFindings, packageName } from './rules/package-imports.js';
import { proofFindings } from './rules/proofs.js';
import { publishedManifestFindings } from './rules/published-manifests.js';
import { sizeFindings, staleSizeExceptions } from './rules/size.js';
import { anyTypeFindings, bucketNameFindings, exportAllFindings, logWordFindings } from './rules/wording.js';
import { workflowPinFindings } from './rules/workflow-pins.js';
import { worldFindings } from './rules/world.js';
import { sizeExceptions } from './size-exceptions.js';
import { isTest } from './source-file.js';

const sources = projectSources();
const manifests = projectFiles(['package.json']);
const members = membersOf(manifests);
const catalog = catalogOf(fileAt('pnpm-workspace.yaml'));

function fileAt(path: string): TextFile {
  return projectFiles([path]).find((file) => file.path === path) ?? { path, text: '' };
}

/** The dashboard is built into files; whatever its sources import is inside of them. */
function bundledIn(folder: string): ReadonlySet<string> {
  if (folder !== 'apps/dashboard') return new Set();
  const testing = `${folder}/src/testing/`;
  const shipped = sources.filter(
    ({ path }) => path.startsWith(`${folder}/src/`) && !path.startsWith(testing) && !isTest(path),
  );
  const imports = shipped.flatMap((file) => file.imports.filter(({ typeOnly }) => !typeOnly));
  return new Set(imports.map(({ specifier }) => packageName(specifier)));
}

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

it('links to headings in the documentation find them', () => {
  expectNone(markdownAnchorFindings(projectFiles(['.md'])));
});

it('commits that the documentation names are in the history', ({ skip }) => {
  const history = commitHistory() ?? skip('this is no clone of the whole history');
  expectNone(projectFiles(['.md']).flatMap((file) => namedCommitFindings(file, history)));
});

it('each promise of the documentation is proven by a test that is there', () => {
  expectNone(proofFindings(projectFiles(['.md', '.test.ts'])));
});

it('every package.json of what is published is complete, and the others are private', () => {
  const { fixed } = JSON.parse(fileAt('.changeset/config.json').text) as {
    readonly fixed: readonly (readonly string[])[];
  };
  expectNone(publishedManifestFindings(members, JSON.parse(fileAt('package.json').text), fixed.flat()));
});

it('every dependency and peer of what is published has its row and its reason', () => {
  expectNone(dependencyPageFindings(fileAt(DEPENDENCY_PAGE), members, catalog, installedWith, bundledIn));
});

it('every dependency of what is published, and all that it brings along, says its licence', () => {
  expectNone(unknownLicenceFindings(members, installedWith, bundledIn));
});

it('nothing that is published runs a script when it is installed', () => {
  const running = members.filter(isPublished).flatMap(({ folder, manifest }) =>
    Object.entries(manifest.dependencies ?? {})
      .filter(([, range]) => !range.startsWith('workspace:'))
      .flatMap(([name]) => installedWith(folder, name))
      .filter(({ runsOnInstall }) => runsOnInstall),
  );
  expect(running.map(({ name }) => name)).toEqual([]);
});

it('the examples ask for versions that exist, those of this workspace', () => {
  expectNone(exampleManifestFindings(members, catalog));
});

it('workflows name the actions that they use by commit', () => {
  expectNone(projectFiles(['.yml']).flatMap(workflowPinFindings));
});
