type Column = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** From this length on a column grows where it is. Shorter ones are many, and copied in no time. */
const IN_PLACE_FROM = 65_536;
/** Elements for which addresses (no memory) are kept free behind such a column: 2 GiB of them for the widest. */
const IN_PLACE_MAX = 2 ** 28;
/** From here on columns grow by an eighth instead of by all. */
const SMALL_STEPS_FROM = 2 ** 20;

/** The next capacity of something that is full. */
export function grownCapacity(capacity: number): number {
  return capacity < SMALL_STEPS_FROM ? capacity * 2 : capacity + (capacity >>> 3);
}

/**
 * The column with so many elements: the same one where it could grow in its place, else a copy. So nobody may keep one across a
 * growth. What is new is zero, and takes up memory only when it is written.
 */
export function grownBytes(old: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  return grown(old, length, Uint8Array<ArrayBuffer>);
}

export function grownHalves(old: Uint16Array<ArrayBuffer>, length: number): Uint16Array<ArrayBuffer> {
  return grown(old, length, Uint16Array<ArrayBuffer>);
}

export function grownWords(old: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  return grown(old, length, Uint32Array<ArrayBuffer>);
}

export function grownDoubles(old: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  return grown(old, length, Float64Array<ArrayBuffer>);
}

function grown<Kind extends Column>(old: Kind, length: number, kind: new (buffer: ArrayBuffer) => Kind): Kind {
  const bytes = length * old.BYTES_PER_ELEMENT;
  if (old.buffer.resizable && bytes <= old.buffer.maxByteLength) {
    old.buffer.resize(bytes);
    return old;
  }
  const copy = new kind(newBuffer(bytes, length < IN_PLACE_FROM ? 0 : IN_PLACE_MAX * old.BYTES_PER_ELEMENT));
  copy.set(old);
  return copy;
}

function newBuffer(bytes: number, bytesMax: number): ArrayBuffer {
  if (bytes >= bytesMax) return new ArrayBuffer(bytes);
  try {
    return new ArrayBuffer(bytes, { maxByteLength: bytesMax });
  } catch (error) {
    // Addresses are limited (ulimit -v): then columns are copied when they grow.
    if (error instanceof RangeError) return new ArrayBuffer(bytes);
    throw error;
  }
}
