import { describe, expect, it } from 'vitest';
import { nearestTurn, planTurns } from './turns.js';

describe('turns', () => {
  it('gives everybody one turn a round and the reference one beside each', () => {
    for (const others of [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd', 'e', 'f']]) {
      for (let round = 1; round <= 4; round++) {
        const turns = planTurns(['own', ...others], 'own', round);
        expect(turns.filter((name) => name !== 'own').sort()).toEqual(others);
        for (const name of others) {
          const turn = turns.indexOf(name);
          expect([turns[turn - 1], turns[turn + 1]], `${name} in ${turns}`).toContain('own');
        }
      }
    }
  });

  it('lets another one begin each round', () => {
    expect(planTurns(['own', 'a', 'b'], 'own', 1)).toEqual(['own', 'b', 'a', 'own']);
    expect(planTurns(['own', 'a', 'b'], 'own', 2)).toEqual(['own', 'a', 'b', 'own']);
  });

  it('does without a reference, and with nothing else', () => {
    expect(planTurns(['a', 'b'], 'own', 1)).toEqual(['b', 'a']);
    expect(planTurns(['own'], 'own', 1)).toEqual(['own']);
  });

  it('pairs with the nearest run, the earlier of two', () => {
    const turns = [0, 3, 6].map((turn) => ({ turn, entrant: 'own' }));
    expect(nearestTurn(turns, 2)?.turn).toBe(3);
    expect(nearestTurn(turns, 1)?.turn).toBe(0);
    expect(nearestTurn([turns[0]!, { turn: 2, entrant: 'own' }], 1)?.turn).toBe(0);
    expect(nearestTurn([], 1)).toBeUndefined();
  });
});
