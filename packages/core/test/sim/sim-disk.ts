import type { SeededRandom } from './seeded-random.js';
import type { SimInode } from './sim-inode.js';

type Names = Map<string, SimInode>;
type Copies = Map<SimInode, SimInode>;

type NameChange =
  | { readonly kind: 'create'; readonly name: string; readonly inode: SimInode }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly inode: SimInode };

/** Names become durable only when their directory is synced; a crash keeps any of the changes since, or the first ones. */
export class SimDirectory {
  readonly current: Names = new Map();
  #durable: Names = new Map();
  #unsynced: NameChange[] = [];

  change(change: NameChange): void {
    apply(this.current, change);
    this.#unsynced.push(change);
  }

  sync(): void {
    for (const change of this.#unsynced.splice(0)) apply(this.#durable, change);
  }

  /** @param copies files that were copied already: one can have several names over time */
  copy(copies: Copies): SimDirectory {
    const copy = new SimDirectory();
    for (const [name, inode] of this.current) copy.current.set(name, copyOf(inode, copies));
    for (const [name, inode] of this.#durable) copy.#durable.set(name, copyOf(inode, copies));
    copy.#unsynced = this.#unsynced.map((change) =>
      change.kind === 'remove' ? change : { ...change, inode: copyOf(change.inode, copies) },
    );
    return copy;
  }

  crash(random: SeededRandom): void {
    const inOrder = random.chance(0.5);
    const count = random.below(this.#unsynced.length + 1);
    const kept = inOrder ? this.#unsynced.slice(0, count) : this.#unsynced.filter(() => random.chance(0.5));
    for (const change of kept) apply(this.#durable, change);
    this.#unsynced = [];
    this.current.clear();
    for (const [name, inode] of this.#durable) this.current.set(name, inode);
  }
}

function copyOf(inode: SimInode, copies: Copies): SimInode {
  const copy = copies.get(inode) ?? inode.copy();
  copies.set(inode, copy);
  return copy;
}

function apply(names: Names, change: NameChange): void {
  if (change.kind === 'create') names.set(change.name, change.inode);
  if (change.kind === 'remove') names.delete(change.name);
  if (change.kind !== 'rename') return;
  names.delete(change.from);
  names.set(change.to, change.inode);
}

/** A disk, and what the operating system keeps of it in memory. Outlives the processes that use it. */
export class SimDisk {
  readonly directories = new Map<string, SimDirectory>();
  /** What all files together may have. */
  capacityBytes = Number.POSITIVE_INFINITY;
  /** Held locks, by path. They end with their process. */
  readonly locks = new Set<string>();

  /** The same disk with the same unsynced changes, and no process on it. */
  copy(): SimDisk {
    const copy = new SimDisk();
    const copies: Copies = new Map();
    for (const [path, directory] of this.directories) copy.directories.set(path, directory.copy(copies));
    copy.capacityBytes = this.capacityBytes;
    return copy;
  }

  directory(path: string): SimDirectory {
    const found = this.directories.get(path);
    if (found === undefined) throw systemError('ENOENT', path);
    return found;
  }

  /** The machine loses its power: all that was not synced is up to chance. */
  crash(random: SeededRandom): void {
    this.locks.clear();
    for (const directory of this.directories.values()) directory.crash(random);
    for (const directory of this.directories.values()) {
      for (const inode of directory.current.values()) inode.crash(random);
    }
  }

  /** The process ends; what it wrote stays readable, and stays unsynced. */
  kill(): void {
    this.locks.clear();
  }

  get usedBytes(): number {
    let used = 0;
    for (const { current } of this.directories.values()) {
      for (const inode of current.values()) used += inode.current.length;
    }
    return used;
  }

  /** What may still be written; `undefined` on a disk without end. */
  get freeBytes(): number | undefined {
    if (this.capacityBytes === Number.POSITIVE_INFINITY) return undefined;
    return Math.max(0, this.capacityBytes - this.usedBytes);
  }

  /** All files by path, for comparing. */
  contents(): Map<string, string> {
    const result = new Map<string, string>();
    for (const [path, directory] of this.directories) {
      for (const [name, inode] of directory.current) {
        result.set(`${path}/${name}`, Buffer.from(inode.current).toString('latin1'));
      }
    }
    return result;
  }
}

export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${path}`), { code });
}
