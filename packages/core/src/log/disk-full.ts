/** No space left on the device, or the user's quota of it is used up. */
const CODES = new Set(['ENOSPC', 'EDQUOT']);

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && CODES.has(error.code);
}
