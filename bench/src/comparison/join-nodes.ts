import type { ComparisonResults, WorkloadResult } from './comparison-results.js';

/**
 * One result for each Node, in the order given, whose workloads may be of several runs: those that count memory and idle processors take long and
 * mind no other work, the others do. Of a workload that was measured twice the later run counts. What is said of a run as a whole is that of the
 * Node's first.
 */
export function joinNodes(all: readonly ComparisonResults[]): ComparisonResults[] {
  const nodes = [...new Set(all.map(({ node }) => major(node)))];
  return nodes.map((node) => joinRuns(all.filter((results) => major(results.node) === node)));
}

function joinRuns(runs: readonly ComparisonResults[]): ComparisonResults {
  const earliestFirst = runs.toSorted((a, b) => a.at.localeCompare(b.at));
  const workloads = new Map<string, WorkloadResult>();
  for (const run of earliestFirst) for (const workload of run.workloads) workloads.set(workload.name, workload);
  const inOrder = [...new Set(runs.flatMap((run) => run.workloads.map(({ name }) => name)))];
  const [first] = runs;
  const missing = new Map(runs.flatMap((run) => run.missing.map((peer) => [peer.title, peer])));
  return {
    ...first!,
    missing: [...missing.values()],
    problems: runs.flatMap(({ problems }) => problems),
    workloads: inOrder.map((name) => workloads.get(name)!),
  };
}

export function major(node: string): string {
  return node.replace(/^v/, '').split('.')[0]!;
}
