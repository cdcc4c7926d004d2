import type { WhyReason } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { whySentence } from './why-text.js';

const NOW = Date.UTC(2026, 10, 30, 10);

const reasons: readonly (readonly [WhyReason, RegExp])[] = [
  [{ kind: 'storeDown', status: 'failed', detail: 'EIO' }, /^The store is failed: nothing is handed out\. EIO$/],
  [
    { kind: 'queuePaused', actor: 'ada', reason: 'SMTP is down', sinceMs: NOW },
    /paused by ada .* until it is resumed: SMTP is down$/,
  ],
  [{ kind: 'notDue', dueAtMs: NOW + 120_000 }, /^It is due in 2 min \(/],
  [
    { kind: 'retry', attempts: 2, maxAttempts: 5, dueAtMs: NOW - 1, error: { class: 'TimeoutError', message: 'slow' } },
    /^Attempt 2 of 5 failed with TimeoutError: slow\. The next is due now\.$/,
  ],
  [{ kind: 'noHandler', queueWorkers: 0 }, /^Nobody claims jobs of this queue/],
  [{ kind: 'noHandler', queueWorkers: 2 }, /^Nobody claims jobs of this name; 2 workers of the queue claim others\.$/],
  [{ kind: 'workersBusy', workers: 1, busy: 10 }, /^The one worker that would take it is busy with 10 jobs\.$/],
  [{ kind: 'behind', jobs: { value: 312, relation: 'atLeast' } }, /^at least 312 ready jobs come before it\.$/],
  [{ kind: 'next' }, /^Nothing is in its way/],
  [
    {
      kind: 'leased',
      worker: 'shop-a:1',
      sinceMs: NOW - 61_000,
      attempt: 1,
      heartbeatAgeMs: 4_321,
      remainingMs: 11_000,
      // biome-ignore lint/suspicious/noThenProperty: the word of the contract.
      then: 'dead',
    },
    /^Leased by shop-a:1 for 1 min, last heartbeat 4 s before this answer\. .* it is dead: this is its last attempt\.$/,
  ],
];

it.each(reasons)('tells %j in plain words', (reason, sentence) => {
  expect(whySentence(reason, NOW)).toMatch(sentence);
});

it('does not guess when a lease ends, where only the log is read', () => {
  const leased = reasons.map(([reason]) => reason).find(({ kind }) => kind === 'leased');
  expect(whySentence(leased!, NOW, false)).toBe('Leased by shop-a:1 for 1 min.');
});
