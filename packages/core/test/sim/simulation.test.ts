import { expect, it } from 'vitest';
import { DEPTH } from './crash-states.js';
import { chooseSeed } from './seeded-random.js';
import { Simulation, seedOfLife } from './simulation.js';

const STATES = Number(process.env.HOLDFAST_STATES ?? 20_000);
const seed = chooseSeed();

it(`keeps every invariant in ${STATES} crash states (seed ${seed})`, { timeout: 1_800_000 }, () => {
  const simulation = new Simulation(seed, DEPTH);
  while (simulation.states.states < STATES) simulation.liveOnce();
  console.log(simulation.summary());
  const { states, lives, checks } = simulation;
  // The lives are rough enough; a few of them may happen to be calm.
  if (STATES < 20_000) return;
  expect(states.duringOpen).toBeGreaterThan(STATES / 50);
  expect(states.refused).toBeGreaterThan(STATES / 1000);
  expect(states.livedOn).toBeGreaterThan(STATES / 5000);
  expect(lives.movedJobs).toBeGreaterThan(STATES / 1000);
  expect([...checks.counts.keys()].sort((one, other) => one - other)).toEqual(
    Array.from({ length: 24 }, (_, index) => index + 1),
  );
});

it('lives the same life again from the same seed', { timeout: 300_000 }, () => {
  const none = { powerCuts: 0, twice: 0, sweep: 0, rot: 0, live: 0 };
  const [first, second, other] = [seed, seed, seed + 1].map((lifeSeed) => {
    const simulation = new Simulation(lifeSeed, none);
    const transcript = simulation.liveOnce();
    return `${transcript} ${simulation.summary()}`;
  });
  expect(second).toBe(first);
  expect(other).not.toBe(first);
});

it('shares no life with the simulations of other seeds nearby', () => {
  const seeds = Array.from({ length: 100 }, (_, index) => seed + index);
  const lives = seeds.flatMap((one) => Array.from({ length: 5000 }, (_, life) => seedOfLife(one, life)));
  expect(new Set(lives).size).toBe(lives.length);
  expect(seedOfLife(seed, 0)).toBe(seed >>> 0);
});
