import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotRunError } from '../rig.js';
import { findProgram, runProgram } from './command.js';
import { Disk } from './disk.js';
import { fakeTimeLibrary } from './fake-clock.js';
import { compileNative, eatMyData } from './preloads.js';

/** Something that a rig needs of this machine: `undefined` if it works here, else why not. */
export interface Ability {
  readonly name: string;
  readonly neededBy: string;
  missing(scratch: string): string | undefined;
}

const MIB = 1024 * 1024;

export const ABILITIES: readonly Ability[] = [
  {
    name: 'root',
    neededBy: 'power, nospace, the real EIO of badsync',
    missing: () => (process.getuid?.() === 0 ? undefined : 'not root'),
  },
  {
    name: 'C compiler',
    neededBy: 'power, badsync',
    missing: () => (findProgram('cc') ? undefined : 'apt-get install gcc libc6-dev'),
  },
  {
    name: 'tmpfs',
    neededBy: 'nospace, badsync',
    missing: (scratch) => whyNot(() => Disk.make(scratch, 'tmpfs', 'tmpfs', MIB).remove()),
  },
  { name: 'power cuts on ext4', neededBy: 'power', missing: (scratch) => whyNot(() => cutOnce(scratch, 'ext4')) },
  { name: 'power cuts on xfs', neededBy: 'power', missing: (scratch) => whyNot(() => cutOnce(scratch, 'xfs')) },
  { name: 'libeatmydata', neededBy: 'power (its control)', missing: () => whyNot(eatMyData) },
  {
    name: 'LD_PRELOAD shims',
    neededBy: 'badsync',
    missing: (scratch) => whyNot(() => compileNative('fail-sync', scratch, 'library')),
  },
  {
    name: 'libfaketime',
    neededBy: 'stall',
    missing: () => (fakeTimeLibrary() ? undefined : 'apt-get install faketime'),
  },
];

/** Tries all of them in a directory of its own. */
export function probe(): { readonly ability: Ability; readonly missing: string | undefined }[] {
  const scratch = mkdtempSync(join(tmpdir(), 'holdfast-probe-'));
  try {
    return ABILITIES.map((ability) => ({ ability, missing: ability.missing(scratch) }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function cutOnce(scratch: string, fileSystem: string): void {
  const disk = Disk.make(scratch, fileSystem, fileSystem, 512 * MIB);
  disk.cutPower();
  disk.remove();
}

function whyNot(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return error instanceof CannotRunError ? message : message.replaceAll(/\s+/g, ' ');
  }
}

/** `Debian GNU/Linux 12`, kernel and Node, for a summary. */
export function machineInShort(): string {
  return `${runProgram('uname', '-srm').trim()}, Node ${process.versions.node}`;
}
