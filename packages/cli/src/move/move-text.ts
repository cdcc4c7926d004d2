import { JOB_STATES, type JobState } from '@holdfast/contract';
import { counted } from '../terminal/figures.js';
import type { Output } from '../terminal/output.js';
import { countsText } from '../verify/job-figures.js';
import type { Moved } from './move.js';

export function printMove({ from, to, wasThere, counts, jobs, cutHistories }: Moved, out: Output): void {
  if (wasThere) out.line(`${to} held all of ${from} already: ${counted(jobs, 'job')}, each compared.`, 'good');
  else out.line(`${to} now holds all of ${from}: ${counted(jobs, 'job')}, each read again and compared.`, 'good');
  out.line();
  for (const [queue, states] of sorted(counts)) out.line(`  ${queue}: ${countsText(states)}`);
  if (cutHistories > 0) {
    out.line();
    out.line(`Of ${counted(cutHistories, 'job')} the oldest attempts were left out: a log keeps no more.`, 'warning');
  }
  out.line();
  out.line('The source is unchanged. Open only one of the two from now on: both give out the same ids.');
}

export function moveJson({ from, to, wasThere, counts, jobs, cutHistories }: Moved) {
  const queues = sorted(counts).map(([queue, states]) => ({ queue, counts: states }));
  return { from, to, wasThere, jobs, counts: sum(counts), queues, cutHistories };
}

function sorted(counts: Moved['counts']) {
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

function sum(counts: Moved['counts']): Record<JobState, number> {
  const all = { scheduled: 0, ready: 0, leased: 0, completed: 0, dead: 0, cancelled: 0 };
  for (const states of counts.values()) for (const state of JOB_STATES) all[state] += states[state];
  return all;
}
