import type { JobExtras } from '@holdfast/contract/rules';
import { invariant } from '../invariant.js';
import { PAYLOAD_BYTES, PAYLOAD_TEXT } from '../state/enqueue-record.js';

/** Both grow to their bounds before anything is given up: most stores are small. */
const BYTES_AT_FIRST = 64 * 1024;
const IDS_AT_FIRST = 1024;
/** Of how many ids the places are known. */
const IDS_MAX = 2 ** 17;
/** In place of PAYLOAD_TEXT where the text is ASCII alone: the fastest to read. */
const ASCII = 2;
const KINDS = 4;
/** What is larger would drive out too much at once. */
const PIECE_PART = 1 / 4;

/**
 * The payloads of the youngest jobs as bytes in one buffer that is written round and round, so that to keep one costs a copy and nothing
 * for the collector. The place of a payload counts on over all rounds: what lies more than one round back was written over.
 */
export class PayloadRing {
  readonly #bytesMax: number;
  #bytes: Buffer;
  /** Each at its number modulo their length; 0 where there is none. */
  #ids = new Float64Array(IDS_AT_FIRST);
  /** Where each begins, times KINDS, plus its kind. */
  #places = new Float64Array(IDS_AT_FIRST);
  /** None until a job has some. */
  #extras: (JobExtras | undefined)[] | undefined;
  #end = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#bytes = newBuffer(Math.min(BYTES_AT_FIRST, bytesMax));
  }

  /**
   * Takes the payloads of a call, in one piece.
   * @returns the place of the first byte; `undefined` where they are too many to be worth it
   */
  take(payloads: Uint8Array): number | undefined {
    const bytes = payloads.length;
    if (bytes > this.#bytesMax * PIECE_PART) return undefined;
    this.#widenFor(bytes);
    const size = this.#bytes.length;
    const left = size - (this.#end % size);
    const place = bytes <= left ? this.#end : this.#end + left;
    this.#end = place + bytes;
    this.#bytes.set(payloads, place % size);
    return place;
  }

  /** Says whose the payload at a place is. @param encoding of its record @param isAscii each byte of the text is a letter */
  note(id: number, place: number, encoding: number, isAscii: boolean, extras: JobExtras | undefined): void {
    while (this.#isTaken(id) && this.#ids.length < IDS_MAX) this.#widen();
    const at = id % this.#ids.length;
    this.#ids[at] = id;
    this.#places[at] = place * KINDS + (isAscii && encoding === PAYLOAD_TEXT ? ASCII : encoding);
    if (extras !== undefined) this.#extras ??= new Array<JobExtras | undefined>(this.#ids.length).fill(undefined);
    if (this.#extras !== undefined) this.#extras[at] = extras;
  }

  forget(id: number): void {
    const at = id % this.#ids.length;
    if (this.#ids[at] === id) this.#ids[at] = 0;
  }

  /** `undefined` where it was written over. */
  payload(id: number, payloadBytes: number): string | Uint8Array | undefined {
    const at = id % this.#ids.length;
    if (this.#ids[at] !== id) return undefined;
    const place = Math.floor(this.#places[at]! / KINDS);
    if (this.#end - place > this.#bytes.length) return undefined;
    const start = place % this.#bytes.length;
    const end = start + payloadBytes;
    invariant(end <= this.#bytes.length, 'a payload lies in one piece');
    const kind = this.#places[at]! % KINDS;
    if (kind === PAYLOAD_BYTES) return new Uint8Array(this.#bytes.subarray(start, end));
    return this.#bytes.toString(kind === ASCII ? 'latin1' : 'utf8', start, end);
  }

  /** Only of a job whose payload is there. */
  extras(id: number): JobExtras | undefined {
    return this.#extras?.[id % this.#ids.length];
  }

  /** Its place is that of another job. */
  #isTaken(id: number): boolean {
    const there = this.#ids[id % this.#ids.length]!;
    return there !== 0 && there !== id;
  }

  #widen(): void {
    const old = { ids: this.#ids, places: this.#places, extras: this.#extras };
    const length = old.ids.length * 2;
    this.#ids = new Float64Array(length);
    this.#places = new Float64Array(length);
    this.#extras = old.extras && new Array<JobExtras | undefined>(length).fill(undefined);
    for (let before = 0; before < old.ids.length; before++) {
      const at = old.ids[before]! % length;
      this.#ids[at] = old.ids[before]!;
      this.#places[at] = old.places[before]!;
      if (this.#extras !== undefined) this.#extras[at] = old.extras?.[before];
    }
  }

  /** Until the bound is reached nothing is written over: each place stays where it is. */
  #widenFor(bytes: number): void {
    let size = this.#bytes.length;
    if (size === this.#bytesMax) return;
    while (size < this.#bytesMax && this.#end + bytes > size) size = Math.min(2 * size, this.#bytesMax);
    if (size === this.#bytes.length) return;
    const wider = newBuffer(size);
    wider.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = wider;
  }
}

/** Not from the pool. */
function newBuffer(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes));
}
