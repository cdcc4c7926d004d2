/** One run's place among those of its workload and round. */
export interface Turn {
  readonly turn: number;
  readonly entrant: string;
}

/**
 * Who runs when, within one round of a workload: another one begins each round, and every other one stands beside a run of the reference, so that
 * both of a pair saw the same minute of the machine.
 */
export function planTurns(entrants: readonly string[], reference: string, round: number): string[] {
  const others = entrants.filter((name) => name !== reference);
  if (!entrants.includes(reference)) return rotated(others, round);
  if (others.length === 0) return [reference];
  // Before the first of two and behind the second: each has one beside it.
  const turns = rotated(others, round).flatMap((name, index) => (index % 2 === 0 ? [reference, name] : [name]));
  return others.length % 2 === 0 ? [...turns, reference] : turns;
}

/** The run of the reference that is nearest to this turn; the earlier one of two. */
export function nearestTurn<One extends Turn>(turns: readonly One[], turn: number): One | undefined {
  let nearest: One | undefined;
  for (const candidate of turns) {
    if (nearest === undefined || Math.abs(candidate.turn - turn) < Math.abs(nearest.turn - turn)) nearest = candidate;
  }
  return nearest;
}

function rotated(names: readonly string[], by: number): string[] {
  return names.map((_, index) => names[(index + by) % names.length]!);
}
