import { invariant } from '../invariant.js';
import { grownDoubles, grownWords } from './grown-columns.js';
import { NONE } from './job-columns.js';
import { STATE_STRIDE } from './job-state.js';

const CHUNK_IDS = 256;
const FIRST_CHUNKS = 16;

/** Told of a job that is about to leave a state: for another one, or because it goes. */
export type LeavingListener = (id: number, slot: number, state: number) => void;

/**
 * From an id to its slot, and from the newest id downwards. Ids are dense and rising, so they are kept in chunks of 256 with a
 * count for each state: a list of the few dead among a million others skips the chunks that hold none. A chunk is
 * freed with its last job. Some four bytes a job.
 */
export class IdIndex {
  #slots = new Uint32Array(FIRST_CHUNKS * CHUNK_IDS);
  #counts = new Uint16Array(FIRST_CHUNKS * STATE_STRIDE);
  #live = new Uint16Array(FIRST_CHUNKS);
  #numbers = new Float64Array(FIRST_CHUNKS);
  #free: number[] = [];
  #used = 0;
  readonly #chunkOf = new Map<number, number>();
  /** Chunks by rising number. */
  #order = new Uint32Array(FIRST_CHUNKS);
  #orderLength = 0;
  #lastNumber = -1;
  #lastChunk = NONE;
  #listeners: readonly LeavingListener[] = [];

  /** Chunks in use: what a walk over all of them costs. */
  get chunks(): number {
    return this.#orderLength;
  }

  /** The slot of an id, or NONE. */
  find(id: number): number {
    const chunk = this.#chunk(Math.floor(id / CHUNK_IDS));
    return chunk === NONE ? NONE : this.#slots[chunk * CHUNK_IDS + (id % CHUNK_IDS)]!;
  }

  insert(id: number, slot: number, state: number): void {
    const number = Math.floor(id / CHUNK_IDS);
    let chunk = this.#chunk(number);
    if (chunk === NONE) chunk = this.#addChunk(number);
    const place = chunk * CHUNK_IDS + (id % CHUNK_IDS);
    invariant(this.#slots[place] === NONE, 'an id is inserted once');
    this.#slots[place] = slot;
    this.#live[chunk]!++;
    this.#counts[chunk * STATE_STRIDE + state]!++;
  }

  remove(id: number, state: number): void {
    const number = Math.floor(id / CHUNK_IDS);
    const chunk = this.#chunk(number);
    invariant(chunk !== NONE, 'a removed id is known');
    if (this.#listeners.length > 0) this.#tell(id, state);
    this.#slots[chunk * CHUNK_IDS + (id % CHUNK_IDS)] = NONE;
    this.#counts[chunk * STATE_STRIDE + state]!--;
    if (--this.#live[chunk]! === 0) this.#freeChunk(number, chunk);
  }

  /** Keeps the counts right when a job changes its state. */
  move(id: number, from: number, to: number): void {
    if (this.#listeners.length > 0) this.#tell(id, from);
    const row = this.#chunk(Math.floor(id / CHUNK_IDS)) * STATE_STRIDE;
    this.#counts[row + from]!--;
    this.#counts[row + to]!++;
  }

  /** @returns how to stop watching */
  watch(listener: LeavingListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /**
   * Visits slots by falling id, from the highest id below `belowId`, until `visit` answers false. With a state, chunks without
   * it are passed over; inside the others every slot is visited, whatever its state.
   */
  walkDown(belowId: number, state: number | undefined, visit: (slot: number) => boolean): void {
    const fromNumber = Math.floor((belowId - 1) / CHUNK_IDS);
    for (let index = this.#upperBound(fromNumber) - 1; index >= 0; index--) {
      const chunk = this.#order[index]!;
      if (state !== undefined && this.#counts[chunk * STATE_STRIDE + state] === 0) continue;
      const inFirst = this.#numbers[chunk] === fromNumber;
      const top = inFirst ? (belowId - 1) % CHUNK_IDS : CHUNK_IDS - 1;
      for (let place = chunk * CHUNK_IDS + top; place >= chunk * CHUNK_IDS; place--) {
        const slot = this.#slots[place]!;
        if (slot !== NONE && !visit(slot)) return;
      }
    }
  }

  #tell(id: number, state: number): void {
    const slot = this.find(id);
    for (const listener of this.#listeners) listener(id, slot, state);
  }

  #chunk(number: number): number {
    if (number === this.#lastNumber) return this.#lastChunk;
    const chunk = this.#chunkOf.get(number);
    if (chunk === undefined) return NONE;
    this.#lastNumber = number;
    this.#lastChunk = chunk;
    return chunk;
  }

  #addChunk(number: number): number {
    const chunk = this.#free.pop() ?? this.#newChunk();
    this.#slots.fill(NONE, chunk * CHUNK_IDS, (chunk + 1) * CHUNK_IDS);
    this.#numbers[chunk] = number;
    this.#chunkOf.set(number, chunk);
    const index = this.#upperBound(number);
    this.#order.copyWithin(index + 1, index, this.#orderLength++);
    this.#order[index] = chunk;
    return chunk;
  }

  #freeChunk(number: number, chunk: number): void {
    const index = this.#upperBound(number) - 1;
    invariant(this.#order[index] === chunk, 'a freed chunk stands in the order');
    this.#order.copyWithin(index, index + 1, this.#orderLength--);
    this.#chunkOf.delete(number);
    this.#free.push(chunk);
    if (this.#lastNumber === number) this.#lastNumber = -1;
  }

  #newChunk(): number {
    if (this.#used === this.#numbers.length) this.#grow();
    return this.#used++;
  }

  #grow(): void {
    const chunks = this.#numbers.length * 2;
    this.#slots = grownWords(this.#slots, chunks * CHUNK_IDS);
    this.#order = grownWords(this.#order, chunks);
    this.#numbers = grownDoubles(this.#numbers, chunks);
    const counts = new Uint16Array(chunks * STATE_STRIDE);
    counts.set(this.#counts);
    this.#counts = counts;
    const live = new Uint16Array(chunks);
    live.set(this.#live);
    this.#live = live;
  }

  /** How many chunks have a number of at most `number`: the new ones are at the end, so look there first. */
  #upperBound(number: number): number {
    let low = 0;
    let high = this.#orderLength;
    if (high > 0 && this.#numbers[this.#order[high - 1]!]! <= number) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#numbers[this.#order[middle]!]! <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
