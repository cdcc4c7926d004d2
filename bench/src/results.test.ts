import { expect, it } from 'vitest';
import type { BenchCase } from './bench-case.js';
import { own, times } from './goals.js';
import { summarise } from './results.js';

const benchCase: BenchCase = {
  name: 'some',
  title: 'some case',
  peers: ['holdfast', 'sqlite'],
  jobs: 1,
  goals: [
    { title: 'as fast again', atLeast: 2, figure: times('jobsPerSecond', 'sqlite') },
    { title: 'soon', atMost: 1, figure: own('p50Ms') },
    { title: 'beside others', atMost: 2, figure: own('p50Ms', 'otherP50Ms') },
  ],
  run: () => Promise.reject(new Error('not run here')),
};

it('judges a goal by the median of the ratios within the rounds', () => {
  const { goals, peers } = summarise(benchCase, 7, [
    // A slow round of the machine, which a ratio of the medians would blame on one of both.
    { holdfast: { jobsPerSecond: 30, p50Ms: 5, otherP50Ms: 4 }, sqlite: { jobsPerSecond: 10 } },
    { holdfast: { jobsPerSecond: 300, p50Ms: 0.5, otherP50Ms: 0.1 }, sqlite: { jobsPerSecond: 200 } },
    { holdfast: { jobsPerSecond: 310, p50Ms: 0.75, otherP50Ms: 0.25 }, sqlite: { jobsPerSecond: 100 } },
  ]);
  expect(goals[0]).toMatchObject({ figure: { median: 3, least: 1.5, most: 3.1 }, reached: true });
  expect(goals[1]).toMatchObject({ figure: { median: 0.75 }, reached: true });
  expect(goals[2]).toMatchObject({ figure: { median: 3 }, reached: false });
  expect(peers.sqlite).toEqual({ jobsPerSecond: { median: 100, least: 10, most: 200 } });
});

it('judges nothing where a peer was missing', () => {
  const { goals } = summarise(benchCase, 7, [{ holdfast: { jobsPerSecond: 30, p50Ms: 0.5 } }]);
  expect(goals[0]).toEqual({ title: 'as fast again', atLeast: 2 });
  expect(goals[1]).toMatchObject({ reached: true });
});
