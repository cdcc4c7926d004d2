const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 job`, `2 jobs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  let value = bytes;
  let unit = '';
  for (const next of UNITS) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}

/** `3`, or `3 to 7`. */
export function rangeText(first: number, last: number): string {
  return first === last ? countText(first) : `${countText(first)} to ${countText(last)}`;
}
