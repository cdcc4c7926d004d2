import type { Finding } from '../finding.js';
import type { Member } from '../manifest.js';

/** An example can be copied: its package.json says everything in versions, and they are those that are tested here. */
export function exampleManifestFindings(
  members: readonly Member[],
  catalog: ReadonlyMap<string, string>,
): readonly Finding[] {
  const versions = new Map(members.map(({ manifest }) => [manifest.name, `^${manifest.version}`]));
  return members
    .filter(({ folder }) => folder.startsWith('examples/'))
    .flatMap(({ folder, manifest }) =>
      Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).flatMap(([name, range]) => {
        const wanted = versions.get(name) ?? catalog.get(name) ?? range;
        const copies = /^[\^\d]/.test(range);
        return copies && range === wanted
          ? []
          : [{ path: `${folder}/package.json`, line: 1, message: `asks for ${name} ${range}, not ${wanted}` }];
      }),
    );
}
