import { describe, expect, it } from 'vitest';
import { type RunRecord, summariseWorkload } from './comparison-results.js';
import type { FigureName } from './figures.js';

const references = { log: 'own', postgres: 'own-postgres' };
const entrants = [
  { name: 'own' },
  { name: 'own-postgres', server: { kind: 'postgres' } },
  { name: 'other', server: { kind: 'postgres' } },
  { name: 'absent' },
] as const;
const workload = { name: 'some', title: 'some work', compared: ['jobsPerSecond'] as readonly FigureName[] };

function record(round: number, turn: number, entrant: string, jobsPerSecond: number, p99Ms: number): RunRecord {
  return { round, turn, entrant, workload: 'some', figures: { jobsPerSecond, p99Ms } };
}

describe('a workload is summarised', () => {
  const records = [
    record(1, 0, 'own', 100, 1),
    record(1, 1, 'own-postgres', 20, 4),
    record(1, 2, 'other', 10, 8),
    record(1, 3, 'own', 50, 2),
    // A slow minute of the machine, which the medians of all runs would blame on one of both.
    record(2, 0, 'other', 1, 80),
    record(2, 1, 'own', 5, 20),
    { ...record(2, 2, 'other', 1, 1), workload: 'another' },
  ];
  const { entrants: results } = summariseWorkload(workload, entrants, records, references);

  it('with medians and the spread of all runs of it', () => {
    expect(results.own?.runs).toBe(3);
    expect(results.own?.figures.jobsPerSecond).toEqual({ median: 50, least: 5, most: 100 });
    expect(results.other?.runs).toBe(2);
    expect(Object.keys(results)).not.toContain('absent');
  });

  it('with the ratios within pairs of one round, each the right way round', () => {
    expect(results.other?.timesLog.jobsPerSecond).toEqual({ median: 5, least: 5, most: 5 });
    expect(results.other?.timesLog.p99Ms).toEqual({ median: 4, least: 4, most: 4 });
    expect(results['own-postgres']?.timesLog.jobsPerSecond?.median).toBe(5);
    expect(results.own?.timesLog).toEqual({});
  });

  it('with those of the PostgreSQL store for queues on PostgreSQL alone', () => {
    expect(results.other?.timesPostgres?.jobsPerSecond).toEqual({ median: 2, least: 2, most: 2 });
    expect(results['own-postgres']?.timesPostgres).toEqual({});
    expect(results.own).not.toHaveProperty('timesPostgres');
  });
});
