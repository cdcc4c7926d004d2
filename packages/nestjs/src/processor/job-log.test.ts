import { type JobFacts } from '@holdfast/core';
import { expect, it } from 'vitest';
import { retryLine } from './job-log.js';

const job: JobFacts = {
  id: 'a-1',
  token: '000001.00000001',
  queue: 'mail',
  name: 'send',
  priority: 0,
  attempt: 2,
  maxAttempts: 8,
  enqueuedAtMs: 0,
  leaseMs: 30_000,
};

it('says of an attempt that failed which job it was, why, and where in the handler', () => {
  const error = new TypeError('email is undefined\nand more');
  error.stack = `TypeError: email is undefined\nand more\n    at Mailer.send (mailer.js:3:7)\n    at work (job-run.js:1:1)`;
  expect(retryLine({ job, durationMs: 2.4, error })).toBe(
    'Job a-1 (mail/send), attempt 2 of 8, failed after 2 ms and will be tried again: ' +
      'TypeError: email is undefined, at Mailer.send (mailer.js:3:7)',
  );
});

it('does without a place when what was thrown has none', () => {
  expect(retryLine({ job, durationMs: 2, error: 'no luck' })).toMatch(/tried again: no luck$/);
});

it('says why a fetch failed, and from where in the handler', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  const error = new TypeError('fetch failed', { cause });
  error.stack = [
    'TypeError: fetch failed',
    '    at node:internal/deps/undici/undici:13510:13',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    '    at async Mailer.send (mailer.js:3:7)',
  ].join('\n');
  expect(retryLine({ job, durationMs: 2, error })).toMatch(
    /: TypeError: fetch failed \(caused by connect ECONNREFUSED 127\.0\.0\.1:1\), at async Mailer\.send \(mailer\.js:3:7\)$/,
  );
});
