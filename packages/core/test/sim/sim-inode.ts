import type { SeededRandom } from './seeded-random.js';

const SECTOR_BYTES = 512;

interface UnsyncedWrite {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/**
 * The contents of one file, twice: what a reader sees now (`current`, the page cache) and what the disk surely holds (`durable`).
 * Between them lies the list of writes since the last sync.
 *
 * The disk is weaker than any real one: after a crash each 512-byte sector holds any of its versions since the last sync, or garbage
 * where a write was going on, and the file ends anywhere between its durable and its newest end. One thing is promised, as by all
 * disks that queues and databases run on: bytes that were synced survive a write beside them in the same sector.
 */
export class SimInode {
  current: Uint8Array = new Uint8Array(0);
  #durable: Uint8Array = new Uint8Array(0);
  #unsynced: UnsyncedWrite[] = [];
  #writes = 0;

  write(position: number, bytes: Uint8Array): void {
    const copy = bytes.slice();
    this.current = put(this.current, position, copy);
    this.#unsynced.push({ position, bytes: copy });
    this.#writes++;
  }

  /** For files of which nothing but their size matters: at once, and for good. */
  truncate(bytes: number): void {
    this.current = this.current.slice(0, bytes);
    this.#durable = this.current.slice();
    this.#unsynced = [];
  }

  /** The same file on another disk. */
  copy(): SimInode {
    const copy = new SimInode();
    copy.current = this.current.slice();
    copy.#durable = this.#durable.slice();
    copy.#unsynced = [...this.#unsynced];
    copy.#writes = this.#writes;
    return copy;
  }

  /** All writes so far: what a sync that begins now covers. */
  get writes(): number {
    return this.#writes;
  }

  /** Makes the first `writes` of all writes durable, as far as they are not yet. */
  sync(writes = this.#writes): void {
    const before = this.#writes - this.#unsynced.length;
    for (const { position, bytes } of this.#unsynced.splice(0, Math.max(0, writes - before))) {
      this.#durable = put(this.#durable, position, bytes);
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
    return random.chance(0.2) ? this.#prefix(random) : this.#mixture(random);
  }

  /** As an orderly file system leaves it: whole writes, the last one cut. */
  #prefix(random: SeededRandom): Uint8Array {
    const count = random.below(this.#unsynced.length + 1);
    let image: Uint8Array = this.#durable.slice();
    for (const { position, bytes } of this.#unsynced.slice(0, count)) image = put(image, position, bytes);
    const cut = this.#unsynced[count];
    return cut === undefined
      ? image
      : put(image, cut.position, cut.bytes.subarray(0, random.below(cut.bytes.length + 1)));
  }

  #mixture(random: SeededRandom): Uint8Array {
    const end = this.#unsynced.reduce((most, { position, bytes }) => Math.max(most, position + bytes.length), 0);
    const image = new Uint8Array(Math.max(end, this.#durable.length));
    image.set(this.#durable);
    for (let sector = 0; sector * SECTOR_BYTES < end; sector++) this.#settleSector(image, sector, random);
    return image.slice(0, this.#chooseSize(random, image.length));
  }

  #settleSector(image: Uint8Array, sector: number, random: SeededRandom): void {
    const start = sector * SECTOR_BYTES;
    const parts = this.#unsynced.map((write) => partIn(write, start)).filter((part) => part !== undefined);
    if (parts.length === 0) return;
    const applied = random.pick([0, parts.length, random.below(parts.length + 1)]);
    for (const { position, bytes } of parts.slice(0, applied)) image.set(bytes, position);
    if (!random.chance(0.1)) return;
    const garbled = random.pick(parts);
    const { length } = garbled.bytes;
    image.set(random.chance(0.5) ? new Uint8Array(length) : random.bytes(length), garbled.position);
  }

  #chooseSize(random: SeededRandom, newest: number): number {
    const least = this.#durable.length;
    const { position, bytes } = random.pick(this.#unsynced);
    const boundary = Math.max(least, random.chance(0.5) ? position : position + bytes.length);
    return random.pick([least, newest, newest, boundary, least + random.below(newest - least + 1)]);
  }
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
