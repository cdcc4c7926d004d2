/** How far back the pictures reach, and in which steps the store keeps that. */
export const SPANS = [
  { key: '5m', lengthMs: 300_000, stepMs: 1_000, label: '5 min' },
  { key: '1h', lengthMs: 3_600_000, stepMs: 10_000, label: '1 h' },
  { key: '24h', lengthMs: 86_400_000, stepMs: 60_000, label: '24 h' },
] as const;

export type Span = (typeof SPANS)[number];

const [, HOUR] = SPANS;

export function spanOf(key: string | undefined): Span {
  return SPANS.find((span) => span.key === key) ?? HOUR;
}
