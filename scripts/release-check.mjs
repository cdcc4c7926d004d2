// What has to be so before a release is published. Prints what is not, and ends with 1.
//   node scripts/release-check.mjs v0.2.0 https://github.com/owner/repository
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.mjs';

/**
 * @typedef {object} Release
 * @property {string} tag The git tag that is released.
 * @property {string} repository The address of the repository that publishes.
 * @property {readonly { name: string, version: string, repository: string }[]} packages All that are published.
 * @property {readonly string[]} changesets Files that say what is not in a changelog yet.
 */

/**
 * @param {Release} release
 * @returns {string[]} What is wrong, and what to do.
 */
export function releaseProblems({ tag, repository, packages, changesets }) {
  const problems = changesets.map(
    (file) => `${file} is in no changelog yet: run \`npm run changeset version\` and commit`,
  );
  for (const { name, version, repository: named } of packages) {
    if (tag !== `v${version}`) problems.push(`${name} has the version ${version}, but the tag is ${tag}`);
    // npm compares them when it is shown where a package was built, and refuses.
    if (named !== `git+${repository}.git`) problems.push(`${name} names ${named}, but is published from ${repository}`);
  }
  return problems;
}

/** @returns {Pick<Release, 'packages' | 'changesets'>} */
function workspace() {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  const manifests = folders.map((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));
  return {
    packages: manifests
      .filter((manifest) => manifest.private !== true)
      .map(({ name, version, repository }) => ({ name, version, repository: repository.url })),
    changesets: readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md') && file !== 'README.md'),
  };
}

if (process.argv[1] === import.meta.filename) {
  const [tag = '', repository = ''] = process.argv.slice(2);
  const problems = releaseProblems({ tag, repository, ...workspace() });
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
