import type { ActOutcome } from '@holdfast/contract';
import { formatCount, formatNoun } from '../../format/number.js';

export const redriveText = {
  titleOne: 'Redrive this job',
  titleMany: (count: number) => `Redrive ${formatNoun(count, 'job')}`,
  titleAll: 'Redrive all dead jobs',
  titleAllOf: (queue: string) => `Redrive all dead jobs of ${queue}`,
  what: 'Dead jobs become ready again with their attempts at 0. Their former attempts stay in their history.',
  whatAll: 'Jobs that die before you confirm are included.',
  scope: 'Scope',
  allQueues: 'all queues',
  close: 'Close',
  confirm: (count: number) => `Redrive ${formatNoun(count, 'job')}`,
  one: 'Redrive',
  some: (count: number) => `Redrive ${formatNoun(count, 'job')}`,
  all: (count: number) => `Redrive all ${formatCount(count)}`,
  tooMany: 'At most 1,000 jobs can be redriven by selection: select fewer, or redrive all.',
  none: 'There is no dead job to redrive.',
  done: (outcome: ActOutcome) => `${formatNoun(outcome.done, 'job')} redriven`,
  skipped: (outcome: ActOutcome) => {
    const parts = Object.entries(outcome.skipped).filter(([, count]) => count > 0);
    const skipped = parts.reduce((total, [, count]) => total + count, 0);
    if (skipped === 0) return undefined;
    const reasons = parts.map(
      ([state, count]) => `${formatCount(count)} ${state === 'missing' ? 'not there any more' : `already ${state}`}`,
    );
    return `${formatCount(skipped)} skipped: ${reasons.join(', ')}`;
  },
} as const;
