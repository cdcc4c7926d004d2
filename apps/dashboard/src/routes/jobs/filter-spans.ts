const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `10m`, `2h`, `3d` in milliseconds. */
export function spanMs(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,9})(s|m|h|d)$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS_MS[unit] ?? 0);
}
