const BYTES = 16;

/** Nobody else's. Made by hand: `crypto.randomUUID` is missing on pages that came over plain http. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
