const SHOWN_MAX = 80;

/** What was given, for an error: short, and whatever it is. */
export function describedValue(value: unknown): string {
  try {
    return described(value);
  } catch {
    return 'a value that cannot be shown';
  }
}

function described(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  if (typeof value === 'object' && value !== null) {
    return shortened(`an object of class ${value.constructor?.name ?? 'null'}`);
  }
  // Its text is its source.
  return typeof value === 'function' ? 'a function' : shortened(String(value));
}

function shortened(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
