const HIGH = 2 ** 32;
/** The high half of 2^53: from here on a number is not exact. */
const HIGH_END = 2 ** 21;

export function readU64(view: DataView, at: number): number {
  return view.getUint32(at + 4, true) * HIGH + view.getUint32(at, true);
}

export function isExactU64(view: DataView, at: number): boolean {
  return view.getUint32(at + 4, true) < HIGH_END;
}

export function writeU64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % HIGH, true);
  view.setUint32(at + 4, Math.floor(value / HIGH), true);
}
