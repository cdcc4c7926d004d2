import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdIndex } from './id-index.js';
import { NONE } from './job-columns.js';
import { STATES } from './job-state.js';

const step = fc.record({
  act: fc.constantFrom('insert', 'insert', 'insert', 'remove', 'move'),
  gap: fc.constantFrom(1, 1, 1, 7, 300),
  pick: fc.nat({ max: 10_000 }),
  state: fc.nat({ max: STATES - 1 }),
});

describe('IdIndex', () => {
  it('finds and walks as a sorted list does, and frees what is empty', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: 'max' }), fc.nat({ max: 3000 }), (steps, below) => {
        const index = new IdIndex();
        const model = new Map<number, { slot: number; state: number }>();
        let nextId = 1;
        for (const { act, gap, pick, state } of steps) {
          const id = [...model.keys()][pick % Math.max(1, model.size)];
          if (act === 'insert') {
            nextId += gap;
            index.insert(nextId, pick, state);
            model.set(nextId, { slot: pick, state });
          } else if (id !== undefined && act === 'remove') {
            index.remove(id, model.get(id)!.state);
            model.delete(id);
          } else if (id !== undefined) {
            index.move(id, model.get(id)!.state, state);
            model.get(id)!.state = state;
          }
        }
        const ids = Array.from({ length: nextId + 2 }, (_, id) => id);
        expect(ids.filter((id) => index.find(id) !== (model.get(id)?.slot ?? NONE))).toEqual([]);
        expect(index.chunks).toBe(new Set([...model.keys()].map((id) => Math.floor(id / 256))).size);
        for (const belowId of [nextId + 1, Math.min(below, nextId)]) {
          expect(walked(index, belowId)).toEqual(expectedWalk(model, belowId));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('passes over chunks without the state', () => {
    const index = new IdIndex();
    for (let id = 1; id <= 100_000; id++) index.insert(id, id, id === 700 ? 4 : 1);
    let visited = 0;
    index.walkDown(100_001, 4, () => {
      visited++;
      return true;
    });
    expect(visited).toBe(256);
  });

  it('takes ids out of order, and numbers beyond 32 bits', () => {
    const index = new IdIndex();
    const ids = [2 ** 45 + 3, 5, 2 ** 45 + 1000, 2 ** 45 - 1000];
    for (const [slot, id] of ids.entries()) index.insert(id, slot, 0);
    expect(ids.map((id) => index.find(id))).toEqual([0, 1, 2, 3]);
    expect(walked(index, 2 ** 46)).toEqual([2, 0, 3, 1]);
  });
});

function walked(index: IdIndex, belowId: number): number[] {
  const slots: number[] = [];
  index.walkDown(belowId, undefined, (slot) => {
    slots.push(slot);
    return true;
  });
  return slots;
}

function expectedWalk(model: ReadonlyMap<number, { readonly slot: number }>, belowId: number): number[] {
  const ids = [...model.keys()].filter((id) => id < belowId);
  return ids.sort((one, other) => other - one).map((id) => model.get(id)!.slot);
}
