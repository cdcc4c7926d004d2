import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useJobSelection } from './selection.js';

const order = ['a', 'b', 'c', 'd', 'e'];

it('selects a range in either direction, with the state that the last one gets', () => {
  const { result } = renderHook(() => useJobSelection('all'));
  act(() => result.current.toggle('d'));
  act(() => result.current.toggleRange('b', order));
  expect(result.current.ids.toSorted()).toEqual(['b', 'c', 'd']);
  act(() => result.current.toggleRange('d', order));
  expect(result.current.size).toBe(0);
});

it('selects one job alone when the range began on another page', () => {
  const { result } = renderHook(() => useJobSelection('all'));
  act(() => result.current.toggle('z'));
  act(() => result.current.toggleRange('c', order));
  expect(result.current.ids).toEqual(['z', 'c']);
});

it('lets go of everything under another filter', () => {
  const { result, rerender } = renderHook(({ family }) => useJobSelection(family), { initialProps: { family: 'a' } });
  act(() => result.current.set(order, true));
  expect(result.current.size).toBe(5);
  rerender({ family: 'b' });
  expect(result.current.size).toBe(0);
});

it('lets all that match go when one of them is taken out, as ids cannot say that', () => {
  const { result } = renderHook(() => useJobSelection('dead'));
  act(() => result.current.chooseAll());
  expect(result.current).toMatchObject({ all: true, size: 0 });
  expect(result.current.has('any')).toBe(true);
  act(() => result.current.toggle('any'));
  expect(result.current).toMatchObject({ all: false, size: 0 });
});
