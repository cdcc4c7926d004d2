import { expect, it } from 'vitest';
import { releaseProblems } from '../../scripts/release-check.mjs';

const repository = 'https://github.com/owner/holdfast';
const core = { name: '@holdfast/core', version: '1.2.3', repository: `git+${repository}.git` };
const release = { tag: 'v1.2.3', repository, packages: [core], changesets: [] };

it('lets a release go that is whole', () => {
  expect(releaseProblems(release)).toEqual([]);
});

it('holds one back whose tag is not the version', () => {
  expect(releaseProblems({ ...release, tag: 'v1.2.4' })).toEqual([
    '@holdfast/core has the version 1.2.3, but the tag is v1.2.4',
  ]);
});

it('holds one back that names another repository than the one that publishes it', () => {
  expect(releaseProblems({ ...release, repository: 'https://github.com/fork/holdfast' })).toHaveLength(1);
});

it('holds one back while a change is in no changelog', () => {
  expect(releaseProblems({ ...release, changesets: ['new-thing.md'] })).toEqual([
    'new-thing.md is in no changelog yet: run `npm run changeset version` and commit',
  ]);
});
