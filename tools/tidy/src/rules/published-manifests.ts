import type { Finding } from '../finding.js';
import { isPublished, type Manifest, type Member } from '../manifest.js';

const NAME = /^(?:@holdfast\/[a-z-]+|holdfast)$/;

/** What the package.json of everything that is published has to say, and what those that are not published may not leave out. */
export function publishedManifestFindings(
  members: readonly Member[],
  root: Pick<Manifest, 'engines' | 'license' | 'repository'>,
  releasedTogether: readonly string[],
): Finding[] {
  const published = members.filter(isPublished);
  const names = new Set(published.map(({ manifest }) => manifest.name));
  const findings = members.flatMap((member) => {
    const problems = isPublished(member)
      ? problemsOf(member, root, names, releasedTogether)
      : member.manifest.private === true
        ? []
        : ['is not published, and has to say "private": true'];
    return problems.map((message) => ({ path: `${member.folder}/package.json`, line: 1, message }));
  });
  const strangers = releasedTogether.filter((name) => !names.has(name));
  const config = { path: '.changeset/config.json', line: 1 };
  return [...findings, ...strangers.map((name) => ({ ...config, message: `${name} is not published` }))];
}

function problemsOf(
  { folder, manifest }: Member,
  root: Pick<Manifest, 'engines' | 'license' | 'repository'>,
  published: ReadonlySet<string>,
  releasedTogether: readonly string[],
): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [NAME.test(manifest.name), 'has a name outside of @holdfast'],
    [manifest.version !== undefined, 'has no version'],
    [(manifest.description ?? '') !== '', 'has no description'],
    [manifest.license === root.license, `has not the licence ${root.license}`],
    [manifest.type === 'module', 'is not of type module'],
    [manifest.repository?.url === root.repository?.url, 'names another repository than the root'],
    [manifest.repository?.directory === folder, `does not say that it is in ${folder}`],
    [manifest.sideEffects !== undefined, 'does not say whether it has sideEffects'],
    [manifest.engines?.node === root.engines?.node, `does not ask for Node ${root.engines?.node}`],
    [manifest.files?.[0] === 'dist' && manifest.files.includes('!dist/**/*.map'), 'has not the files of dist alone'],
    [manifest.publishConfig?.access === 'public', 'is not published with access public'],
    [manifest.exports?.['./package.json'] !== undefined, 'does not export its package.json'],
    [releasedTogether.includes(manifest.name), 'is not among those that .changeset/config.json releases together'],
  ];
  return [
    ...rules.filter(([kept]) => !kept).map(([, problem]) => problem),
    ...exportProblems(manifest),
    ...dependencyProblems(manifest, published),
  ];
}

function exportProblems({ exports = {} }: Manifest): string[] {
  return Object.entries(exports)
    .filter(([path]) => path !== './package.json' && !path.includes('*'))
    .filter(([, target]) => typeof target === 'string' || Object.keys(target).join() !== 'types,default')
    .map(([path]) => `exports ${path} without types, or not before default`);
}

function dependencyProblems(manifest: Manifest, published: ReadonlySet<string>): string[] {
  const inside = Object.entries(manifest.dependencies ?? {}).filter(([, range]) => range.startsWith('workspace:'));
  const strangePeers = Object.keys(manifest.peerDependenciesMeta ?? {}).filter(
    (name) => manifest.peerDependencies?.[name] === undefined,
  );
  return [
    ...inside.filter(([name]) => !published.has(name)).map(([name]) => `depends on ${name}, which is not published`),
    ...inside.filter(([, range]) => range !== 'workspace:^').map(([name]) => `asks for ${name} not by workspace:^`),
    ...strangePeers.map((name) => `says of ${name} that it is optional, but not that it is a peer`),
  ];
}
