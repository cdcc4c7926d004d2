const wholeFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `1,204` */
export function formatCount(value: number): string {
  return wholeFormat.format(value);
}

/** `1,204`, or `at least 1,204` where the server did not count to the end. */
export function formatTotal(total: { readonly value: number; readonly relation: 'exact' | 'atLeast' }): string {
  return total.relation === 'exact' ? formatCount(total.value) : `at least ${formatCount(total.value)}`;
}

/** One noun with its number: `1 job`, `1,204 jobs`. */
export function formatNoun(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Rates: one decimal below ten, whole above; what is smaller than can be shown still does not read as nothing. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0';
  if (perSecond < 0.05) return '<0.1';
  return perSecond < 9.95 ? perSecond.toFixed(1) : formatCount(perSecond);
}

/** Decimal units with three digits: `512 B`, `1.52 GB`. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(value) : Number(value.toPrecision(3))} ${BYTE_UNITS[unit]}`;
}
