/** Slots of one block, 32 KiB: what the runtime keeps beside the memory of a block is little for each of them. */
export const BLOCK_SLOTS = 8192;
/** The first block of a lane begins smaller: there are many lanes with few jobs. */
const FIRST_SLOTS = 16;
/** A hole. */
const HOLE = 0xffff_ffff;
/** Places count on, modulo this. */
const PLACES = 2 ** 30;
/** So many blocks that are done with may stand in front of the others. */
const PASSED_MAX = 64;

interface Block {
  slots: Uint32Array;
  /** Those that are no holes. */
  live: number;
}

/**
 * Slots in the order in which they came. Any can be taken out where it stands: it leaves a hole of four bytes until all others of its block are
 * gone as well. There is no hole at either end, and no block of holes alone.
 */
export class SlotFifo {
  /** From the one with the first slot on. */
  #blocks: (Block | undefined)[] = [];
  /** How many in front are done with. */
  #passed = 0;
  readonly #places: number;
  /** The place at which the first block begins. */
  #base = 0;
  /** The first slot, and the end behind the last one, counted from the base. */
  #head = 0;
  #tail = 0;
  #size = 0;

  /** @param places fewer for tests: a multiple of BLOCK_SLOTS */
  constructor(places = PLACES) {
    this.#places = places;
  }

  get size(): number {
    return this.#size;
  }

  /** From the first slot to the last every place is taken, most of them by holes: the next would be the one of the first slot. */
  get isFull(): boolean {
    return this.#tail === this.#places;
  }

  /** Blocks in memory. */
  get blocks(): number {
    return this.#blocks.reduce((sum, block) => (block === undefined ? sum : sum + 1), 0);
  }

  /** Only with `size > 0`. */
  get first(): number {
    return this.#at(this.#head);
  }

  /** Only with `size > 0`. */
  get last(): number {
    return this.#at(this.#tail - 1);
  }

  /** Puts a slot behind all others. Only while it is not full. @returns its place, below 2^30 */
  push(slot: number): number {
    const block = this.#blockForNext();
    const at = this.#tail % BLOCK_SLOTS;
    if (at === block.slots.length) block.slots = doubled(block.slots);
    block.slots[at] = slot;
    block.live++;
    this.#size++;
    return (this.#base + this.#tail++) % this.#places;
  }

  /** Takes out the slot at a place that `push` has answered. */
  removeAt(place: number): void {
    const offset = (place - this.#base + this.#places) % this.#places;
    const index = this.#index(offset);
    const block = this.#blocks[index]!;
    block.slots[offset % BLOCK_SLOTS] = HOLE;
    block.live--;
    this.#size--;
    if (this.#size === 0) {
      this.#beginAnew(block);
      return;
    }
    if (block.live === 0) this.#blocks[index] = undefined;
    if (offset === this.#head) this.#dropFront();
    else if (offset === this.#tail - 1) this.#dropBack();
  }

  /** In order, until `visit` answers false. */
  visit(visit: (slot: number) => boolean): void {
    for (let offset = this.#head; offset < this.#tail; offset = this.#next(offset)) {
      const slot = this.#at(offset);
      if (slot !== HOLE && !visit(slot)) return;
    }
  }

  #index(offset: number): number {
    return this.#passed + Math.floor(offset / BLOCK_SLOTS);
  }

  #at(offset: number): number {
    return this.#blocks[this.#index(offset)]?.slots[offset % BLOCK_SLOTS] ?? HOLE;
  }

  /** The next offset that may hold a slot. */
  #next(offset: number): number {
    const isGone = this.#blocks[this.#index(offset)] === undefined;
    return isGone ? offset - (offset % BLOCK_SLOTS) + BLOCK_SLOTS : offset + 1;
  }

  #blockForNext(): Block {
    const index = this.#index(this.#tail);
    let block = this.#blocks[index];
    if (block === undefined) {
      block = { slots: new Uint32Array(this.#size === 0 ? FIRST_SLOTS : BLOCK_SLOTS), live: 0 };
      // Room for one: the first that is put into an empty array makes room for seventeen, in every lane.
      if (index === 0) this.#blocks = [block];
      else this.#blocks[index] = block;
    }
    return block;
  }

  #dropFront(): void {
    while (this.#at(this.#head) === HOLE) this.#head = this.#next(this.#head);
    while (this.#head >= BLOCK_SLOTS) this.#passBlock();
  }

  #dropBack(): void {
    while (this.#at(this.#tail - 1) === HOLE) {
      const last = this.#tail - 1;
      this.#tail = this.#blocks[this.#index(last)] === undefined ? last - (last % BLOCK_SLOTS) : last;
    }
  }

  #passBlock(): void {
    this.#blocks[this.#passed++] = undefined;
    this.#base = (this.#base + BLOCK_SLOTS) % this.#places;
    this.#head -= BLOCK_SLOTS;
    this.#tail -= BLOCK_SLOTS;
    if (this.#passed < PASSED_MAX || this.#passed * 2 < this.#blocks.length) return;
    this.#blocks.splice(0, this.#passed);
    this.#passed = 0;
  }

  /** Nothing is left, so nobody knows a place. The block stays for those that come. */
  #beginAnew(block: Block): void {
    this.#blocks = [block];
    this.#passed = 0;
    this.#base = 0;
    this.#head = 0;
    this.#tail = 0;
  }
}

function doubled(slots: Uint32Array): Uint32Array {
  const wider = new Uint32Array(slots.length * 2);
  wider.set(slots);
  return wider;
}
