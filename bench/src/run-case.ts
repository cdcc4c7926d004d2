import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CASES } from './cases.js';
import { openPeer, PEERS } from './peer.js';

/**
 * Runs one case once for one peer, in a process of its own with an empty directory, and prints what it measured as one line of
 * JSON. Arguments: case, peer, jobs, directory to make that directory in.
 */
const [, , name, peerName, jobs, parent] = process.argv;
const benchCase = CASES.find((candidate) => candidate.name === name);
const peer = PEERS.find((candidate) => candidate === peerName);
if (benchCase === undefined || peer === undefined || jobs === undefined || parent === undefined) {
  throw new Error('Usage: run-case <case> <peer> <jobs> <directory>');
}
const directory = mkdtempSync(join(parent, 'holdfast-bench-'));
try {
  const metrics = await benchCase.run({ directory, jobs: Number(jobs), open: () => openPeer(peer, directory) });
  process.stdout.write(`${JSON.stringify(metrics)}\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
