import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JOB_STATES, type JobState } from './job.js';
import { JOB_EVENTS, type JobEvent, LIFECYCLE } from './job-lifecycle.js';

const page = readFileSync(new URL('../../../docs/job-lifecycle.md', import.meta.url), 'utf8');

/** The states × events table as the page shows it: footnote marks dropped, a dash read as `refused`. */
function tableOfPage(): Map<JobState, Map<JobEvent, string>> {
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const start = rows.findIndex((line) => line.startsWith('| state |'));
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replace(/[¹²³]/g, '').trim());
  const events = cells(rows[start]!).slice(1) as JobEvent[];
  const table = new Map<JobState, Map<JobEvent, string>>();
  for (const line of rows.slice(start + 2, start + 2 + JOB_STATES.length)) {
    const [state, ...next] = cells(line);
    table.set(
      state as JobState,
      new Map(events.map((event, index) => [event, next[index] === '–' ? 'refused' : next[index]!])),
    );
  }
  return table;
}

describe('the life of a job', () => {
  const documented = tableOfPage();
  for (const state of JOB_STATES) {
    for (const event of JOB_EVENTS) {
      it(`${state} + ${event} is what docs/job-lifecycle.md says`, () => {
        expect(documented.get(state)?.get(event)).toBe(LIFECYCLE[state][event]);
      });
    }
  }

  it('never leads out of completed and cancelled, but by forgetting the job', () => {
    for (const state of ['completed', 'cancelled'] as const) {
      const others = JOB_EVENTS.filter((event) => event !== 'remove');
      expect(others.map((event) => LIFECYCLE[state][event])).toEqual(others.map(() => 'refused'));
    }
  });

  it('forgets every job that is asked for, unless a worker holds it', () => {
    expect(JOB_STATES.filter((state) => LIFECYCLE[state].remove !== 'forgotten')).toEqual(['leased']);
  });

  it('hands a job to a worker from ready only', () => {
    expect(JOB_STATES.filter((state) => LIFECYCLE[state].claim === 'leased')).toEqual(['ready']);
  });
});
