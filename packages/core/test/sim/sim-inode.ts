import type { SeededRandom } from './seeded-random.js';

const SECTOR_BYTES = 512;

interface UnsyncedWrite {
  readonly position: number;
  readonly bytes: Uint8Array;
}

interface UnsyncedCut {
  readonly size: number;
}

type UnsyncedChange = UnsyncedWrite | UnsyncedCut;

/**
 * The contents of one file, twice: what a reader sees now (`current`, the page cache) and what the disk surely holds (`durable`).
 * Between them lies the list of changes since the last sync.
 *
 * The disk is weaker than any real one: after a crash each 512-byte sector holds any of its versions since the last sync, or garbage
 * where a write was going on, and the file ends anywhere between its durable and its newest end. Where it was cut it may be whole again,
 * whatever was written behind the cut since. One thing is promised, as by all
 * disks that queues and databases run on: bytes that were synced survive a write beside them in the same sector.
 */
export class SimInode {
  current: Uint8Array = new Uint8Array(0);
  #durable: Uint8Array = new Uint8Array(0);
  #unsynced: UnsyncedChange[] = [];
  #changes = 0;

  write(position: number, bytes: Uint8Array): void {
    const copy = bytes.slice();
    this.current = put(this.current, position, copy);
    this.#unsynced.push({ position, bytes: copy });
    this.#changes++;
  }

  truncate(size: number): void {
    const cut = { size };
    this.current = applied(this.current, cut);
    this.#unsynced.push(cut);
    this.#changes++;
  }

  /** The same file on another disk. */
  copy(): SimInode {
    const copy = new SimInode();
    copy.current = this.current.slice();
    copy.#durable = this.#durable.slice();
    copy.#unsynced = [...this.#unsynced];
    copy.#changes = this.#changes;
    return copy;
  }

  /** All changes so far: what a sync that begins now covers. */
  get changes(): number {
    return this.#changes;
  }

  /** Makes the first `changes` of all changes durable, as far as they are not yet. */
  sync(changes = this.#changes): void {
    const before = this.#changes - this.#unsynced.length;
    for (const change of this.#unsynced.splice(0, Math.max(0, changes - before))) {
      this.#durable = applied(this.#durable, change);
    }
  }

  /**
   * A sync that fails. In all three ways the system forgets that the pages were dirty, so that the next sync succeeds without writing them:
   * the new contents can still be read, or are gone at once, or some sectors had arrived.
   */
  failSync(random: SeededRandom): void {
    const way = random.below(3);
    if (way === 2) this.#durable = this.#survivor(random);
    this.#unsynced = [];
    if (way === 1) this.current = this.#durable.slice();
  }

  /** The machine lost its power. */
  crash(random: SeededRandom): void {
    this.current = this.#survivor(random);
    this.#durable = this.current.slice();
    this.#unsynced = [];
  }

  #survivor(random: SeededRandom): Uint8Array {
    if (this.#unsynced.length === 0) return this.#durable.slice();
    return random.chance(0.2)
      ? prefix(this.#durable, this.#unsynced, random)
      : mixture(this.#durable, this.#unsynced, random);
  }
}

/** As an orderly file system leaves it: whole changes, the last one cut. */
function prefix(durable: Uint8Array, changes: readonly UnsyncedChange[], random: SeededRandom): Uint8Array {
  const count = random.below(changes.length + 1);
  let image: Uint8Array = durable.slice();
  for (const change of changes.slice(0, count)) image = applied(image, change);
  const half = changes[count];
  if (half === undefined || 'size' in half) return image;
  return put(image, half.position, half.bytes.subarray(0, random.below(half.bytes.length + 1)));
}

/** Each sector and each cut as chance has it. */
function mixture(durable: Uint8Array, changes: readonly UnsyncedChange[], random: SeededRandom): Uint8Array {
  let image: Uint8Array = durable.slice();
  let writes: UnsyncedWrite[] = [];
  for (const change of changes) {
    if (!('size' in change)) {
      writes.push(change);
      continue;
    }
    image = mixedIn(image, writes, random);
    writes = [];
    if (random.chance(0.5)) image = applied(image, change);
  }
  return mixedIn(image, writes, random);
}

function mixedIn(before: Uint8Array, writes: readonly UnsyncedWrite[], random: SeededRandom): Uint8Array {
  if (writes.length === 0) return before;
  const end = writes.reduce((most, { position, bytes }) => Math.max(most, position + bytes.length), 0);
  const image = new Uint8Array(Math.max(end, before.length));
  image.set(before);
  for (let sector = 0; sector * SECTOR_BYTES < end; sector++) settleSector(image, sector, writes, random);
  return image.slice(0, chooseSize(random, writes, before.length, image.length));
}

function settleSector(image: Uint8Array, sector: number, writes: readonly UnsyncedWrite[], random: SeededRandom): void {
  const start = sector * SECTOR_BYTES;
  const parts = writes.map((write) => partIn(write, start)).filter((part) => part !== undefined);
  if (parts.length === 0) return;
  const arrived = random.pick([0, parts.length, random.below(parts.length + 1)]);
  for (const { position, bytes } of parts.slice(0, arrived)) image.set(bytes, position);
  if (!random.chance(0.1)) return;
  const garbled = random.pick(parts);
  const { length } = garbled.bytes;
  image.set(random.chance(0.5) ? new Uint8Array(length) : random.bytes(length), garbled.position);
}

function chooseSize(random: SeededRandom, writes: readonly UnsyncedWrite[], least: number, newest: number): number {
  const { position, bytes } = random.pick(writes);
  const boundary = Math.max(least, random.chance(0.5) ? position : position + bytes.length);
  return random.pick([least, newest, newest, boundary, least + random.below(newest - least + 1)]);
}

function applied(image: Uint8Array, change: UnsyncedChange): Uint8Array {
  return 'size' in change ? image.slice(0, change.size) : put(image, change.position, change.bytes);
}

function put(target: Uint8Array, position: number, bytes: Uint8Array): Uint8Array {
  let result = target;
  if (position + bytes.length > target.length) {
    result = new Uint8Array(position + bytes.length);
    result.set(target);
  }
  result.set(bytes, position);
  return result;
}

function partIn({ position, bytes }: UnsyncedWrite, sectorStart: number): UnsyncedWrite | undefined {
  const start = Math.max(position, sectorStart);
  const end = Math.min(position + bytes.length, sectorStart + SECTOR_BYTES);
  return start < end ? { position: start, bytes: bytes.subarray(start - position, end - position) } : undefined;
}
