/** How large a published package may be, in thousands of bytes. Raise a limit when there is a reason, and say it in the commit. */
export const SIZE_LIMITS: Readonly<Record<string, { readonly packedKb: number; readonly unpackedKb: number }>> = {
  '@holdfast/contract': { packedKb: 60, unpackedKb: 220 },
  '@holdfast/core': { packedKb: 300, unpackedKb: 1200 },
  '@holdfast/testing': { packedKb: 95, unpackedKb: 400 },
  '@holdfast/sql-store': { packedKb: 65, unpackedKb: 250 },
  '@holdfast/store-postgres': { packedKb: 55, unpackedKb: 225 },
  '@holdfast/store-mysql': { packedKb: 55, unpackedKb: 210 },
  '@holdfast/nestjs': { packedKb: 130, unpackedKb: 520 },
  '@holdfast/dashboard': { packedKb: 240, unpackedKb: 800 },
  holdfast: { packedKb: 80, unpackedKb: 300 },
};

/** What the dashboard loads before it shows anything, gzipped: docs/dashboard.md. */
export const FIRST_LOAD_LIMITS = { scriptKb: 170, styleKb: 15 };
