import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comparisonPlot } from './comparison-plot.js';
import type { ComparisonResults } from './comparison-results.js';
import { comparisonTables } from './comparison-table.js';
import { joinNodes } from './join-nodes.js';
import { readmeTable } from './readme-table.js';

const BEGIN = '<!-- bench:peers begin -->';
const END = '<!-- bench:peers end -->';

/**
 * Puts what the last runs found, one or more of each Node, into the page and the picture beside it, and some of it into the README above.
 *
 * @returns the files it wrote
 */
export function publish(resultsDirectory: string, docsDirectory: string): string[] {
  const all = readResults(resultsDirectory);
  const page = join(docsDirectory, 'performance.md');
  const picture = join(docsDirectory, 'images', 'peers.svg');
  writeFileSync(picture, comparisonPlot(joinNodes(all)));
  const image = '![Each workload with a dot for each queue](images/peers.svg)';
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), `${image}\n\n${comparisonTables(all)}`));
  const readme = join(docsDirectory, '..', 'README.md');
  writeFileSync(readme, replaceSection(readFileSync(readme, 'utf8'), readmeTable(joinNodes(all))));
  return [page, picture, readme];
}

/** @throws Error when the page has no such section */
export function replaceSection(page: string, text: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin)
    throw new Error(`The page has no lines ${BEGIN} and ${END} to put the figures between.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${page.slice(end)}`;
}

/** The oldest Node first, and of each the run of all workloads before those that have a name of their own. */
function readResults(directory: string): ComparisonResults[] {
  const files = readdirSync(directory).filter((name) => /^peers-node\d+(-[a-z]+)?\.json$/.test(name));
  if (files.length === 0) throw new Error(`There are no results in ${directory}. Run npm run bench:peers first.`);
  return files
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as ComparisonResults);
}

/** `peers-node20` before `peers-node20-idle`, which the dot would not do. */
function nameOf(file: string): string {
  return file.replace(/\.json$/, '');
}
