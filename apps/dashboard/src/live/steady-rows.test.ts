import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useSteadyRows } from './steady-rows.js';

const row = (id: string, state = 'ready') => ({ id, state });

function renderRows() {
  return renderHook(({ family, rows, held }) => useSteadyRows(family, rows, held), {
    initialProps: { family: 'a', rows: [row('2'), row('1')], held: true },
  });
}

it('keeps rows in their places while they are held, with fresh cells, and counts what is new', () => {
  const { result, rerender } = renderRows();
  rerender({ family: 'a', rows: [row('4'), row('3'), row('2', 'leased')], held: true });
  expect(result.current.rows).toEqual([row('2', 'leased'), row('1')]);
  expect(result.current.newer).toBe(2);
  expect([...result.current.gone]).toEqual(['1']);
});

it('shows the fresh order when let go, when asked to, and for another list', () => {
  const { result, rerender } = renderRows();
  const fresh = [row('3'), row('2')];
  rerender({ family: 'a', rows: fresh, held: true });
  act(() => result.current.release());
  expect(result.current).toMatchObject({ rows: fresh, newer: 0 });
  rerender({ family: 'b', rows: [row('9')], held: true });
  expect(result.current.rows).toEqual([row('9')]);
  rerender({ family: 'b', rows: fresh, held: false });
  expect(result.current.rows).toEqual(fresh);
});
