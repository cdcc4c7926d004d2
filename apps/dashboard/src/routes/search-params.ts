/** Changes some parameters of an address and keeps the others. `undefined` takes a parameter out. */
export function withParams(search: string, changes: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** A parameter that is there and not empty. */
export function paramOf(search: string, name: string): string | undefined {
  return new URLSearchParams(search).get(name) || undefined;
}
