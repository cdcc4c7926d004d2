import { formatNoun } from '../../format/number.js';

export const deadText = {
  title: 'Dead letters',
  loading: 'Loading dead jobs',
  queue: 'Queue',
  selected: (count: number) => `${formatNoun(count, 'job')} selected`,
  clear: 'Clear',
  hint: 'Select jobs to redrive some of them.',
  selectFirst: 'Select jobs first, or redrive all.',
  emptyTitle: 'No dead jobs',
  emptyNote: 'A job comes here when its last attempt has failed, or when its handler says that no attempt can help.',
  emptyInQueue: (queue: string) => `No dead jobs in ${queue}`,
  allQueues: 'Show all queues',
} as const;
