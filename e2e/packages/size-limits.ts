/** How large a published package may be, in thousands of bytes. Raise a limit when there is a reason, and say it in the commit. */
export const SIZE_LIMITS: Readonly<Record<string, { readonly packedKb: number; readonly unpackedKb: number }>> = {
  '@holdfast/contract': { packedKb: 55, unpackedKb: 190 },
  '@holdfast/core': { packedKb: 300, unpackedKb: 1150 },
  '@holdfast/testing': { packedKb: 95, unpackedKb: 370 },
  '@holdfast/sql-store': { packedKb: 55, unpackedKb: 210 },
  '@holdfast/store-postgres': { packedKb: 50, unpackedKb: 180 },
  '@holdfast/store-mysql': { packedKb: 50, unpackedKb: 190 },
  '@holdfast/nestjs': { packedKb: 130, unpackedKb: 480 },
  '@holdfast/dashboard': { packedKb: 230, unpackedKb: 800 },
  holdfast: { packedKb: 60, unpackedKb: 220 },
};

/** What the dashboard loads before it shows anything, gzipped: docs/dashboard.md. */
export const FIRST_LOAD_LIMITS = { scriptKb: 170, styleKb: 15 };
