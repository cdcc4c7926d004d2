import { useRef } from 'react';

const POINTS_MAX = 60;

/** The last values of a figure as this page saw them, oldest first: one more with each answer. */
export function useFigureHistory(values: Readonly<Record<string, number>> | undefined, answeredAtMs: number) {
  const history = useRef({ answeredAtMs: 0, points: new Map<string, readonly number[]>() });
  const kept = history.current;
  if (values !== undefined && answeredAtMs > kept.answeredAtMs) {
    kept.answeredAtMs = answeredAtMs;
    for (const [name, value] of Object.entries(values)) {
      kept.points.set(name, [...(kept.points.get(name) ?? []), value].slice(-POINTS_MAX));
    }
  }
  return (name: string): readonly number[] => kept.points.get(name) ?? [];
}
