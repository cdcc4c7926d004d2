import type { ComparisonResults, EntrantResult } from './comparison-results.js';

const exactly = (value: number) => ({ median: value, least: value, most: value });

/** Of a run that never was: for tests. */
export function someResults(node: string, jobsPerSecond: number): ComparisonResults {
  const own: EntrantResult = {
    runs: 3,
    figures: { jobsPerSecond: { median: 12_345, least: 11_000, most: 13_000 }, cpuMicroseconds: exactly(4.25) },
    timesLog: {},
  };
  const other: EntrantResult = {
    runs: 3,
    figures: { jobsPerSecond: exactly(jobsPerSecond) },
    timesLog: { jobsPerSecond: { median: 12_345 / jobsPerSecond, least: 9.5, most: 130.4 } },
  };
  return {
    command: 'npm run bench:peers',
    at: '2026-01-31T12:00:00.000Z',
    commit: 'abc1234',
    machine: { cpu: 'Some CPU', cores: 2, memoryGiB: 24, kernel: '6.1' },
    node,
    scale: 1,
    rounds: 5,
    roundsWanted: 5,
    entrants: [
      { name: 'holdfast-log', title: 'Holdfast', version: 'holdfast 1.0', afterPowerCut: 'every job', settings: [] },
      { name: 'other', title: 'Other', afterPowerCut: 'nothing', settings: [] },
    ],
    missing: [{ title: 'beanstalkd', reason: 'There is no beanstalkd.' }],
    problems: [{ entrant: 'Other', workload: 'drain', round: 2, message: 'Order 7 was handled 2 times, not 1.' }],
    workloads: [
      { name: 'enqueue', title: 'enqueue', compared: ['jobsPerSecond'], entrants: { 'holdfast-log': own, other } },
    ],
  };
}
