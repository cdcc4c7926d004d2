import { afterEach, expect, it, vi } from 'vitest';
import { Listeners } from './listeners.js';

afterEach(() => void vi.restoreAllMocks());

it('takes one function that is given twice for two listeners, of which each leaves alone', () => {
  const told: number[] = [];
  const listeners = new Listeners<number>();
  const listener = (event: number) => void told.push(event);
  const stops = [listeners.add(listener), listeners.add(listener)];
  listeners.tell(1);
  stops[0]?.();
  listeners.tell(2);
  stops[1]?.();
  listeners.tell(3);
  expect(told).toEqual([1, 1, 2]);
});

it('tells the others when one throws, and whoever tells hears nothing of that', () => {
  const nextTick = vi.spyOn(process, 'nextTick').mockReturnValue();
  const told: number[] = [];
  const listeners = new Listeners<number>();
  const error = new Error('a mistake of the listener');
  listeners.add(() => {
    throw error;
  });
  listeners.add((event) => void told.push(event));
  listeners.tell(1);
  expect(told).toEqual([1]);
  const uncaught = nextTick.mock.calls.map(([call]) => call);
  expect(uncaught).toHaveLength(1);
  expect(uncaught[0]).toThrow(error);
});

it('tells a listener once that leaves and comes again at each event', () => {
  const told: number[] = [];
  const listeners = new Listeners<number>();
  const listen = () => {
    const stop = listeners.add((event) => {
      stop();
      told.push(event);
      // Without an end to it, this would be called without end too.
      if (told.length < 10) listen();
    });
  };
  listen();
  listeners.tell(1);
  listeners.tell(2);
  expect(told).toEqual([1, 2]);
});
