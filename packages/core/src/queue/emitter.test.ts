import { expect, it } from 'vitest';
import { Emitter } from './emitter.js';

it('takes one function that is given twice for two listeners, of which each leaves alone', () => {
  const events = new Emitter<{ told: number }>();
  const told: number[] = [];
  const listener = (event: number) => void told.push(event);
  const stops = [events.on('told', listener), events.on('told', listener)];
  events.emit('told', 1);
  stops[0]?.();
  stops[0]?.();
  events.emit('told', 2);
  stops[1]?.();
  expect(events.emit('told', 3)).toBe(false);
  expect(told).toEqual([1, 1, 2]);
});

it('tells a listener once that leaves and comes again at each event', () => {
  const events = new Emitter<{ told: number }>();
  const told: number[] = [];
  const listen = () => {
    const stop = events.on('told', (event) => {
      stop();
      told.push(event);
      // Without an end to it, this would be called without end too.
      if (told.length < 10) listen();
    });
  };
  listen();
  events.emit('told', 1);
  events.emit('told', 2);
  expect(told).toEqual([1, 2]);
});
