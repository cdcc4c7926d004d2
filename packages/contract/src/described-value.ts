/** What was given, for an error: short, and whatever it is. */
export function describedValue(value: unknown): string {
  try {
    return described(value);
  } catch {
    return 'a value that cannot be shown';
  }
}

function described(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === 'object' && value !== null) return `an object of class ${value.constructor?.name ?? 'null'}`;
  // Its text is its source.
  return typeof value === 'function' ? 'a function' : String(value);
}
