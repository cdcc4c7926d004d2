import { describe, expect, it } from 'vitest';
import type { JobError } from '../job.js';
import { errorKind } from './error-fingerprint.js';

function error(message: string, changes: Partial<JobError> = {}): JobError {
  return { class: 'Error', message, ...changes };
}

const STACK = (line: number, root = '/srv/app') => `Error: x
    at Object.<anonymous> (node:internal/process/task_queues:95:5)
    at request (${root}/node_modules/got/index.js:12:3)
    at async send (${root}/src/mail/mailer.js:${line}:9)
    at new Run (file://${root}/src/mail/run.js:${line + 7}:1)
    at ${root}/src/main.js:1:1`;

/** Messages of one cause each, and what is left of them. */
const ALIKE: readonly (readonly [string, readonly string[]])[] = [
  ['connect ECONNREFUSED <ip>', ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED 127.0.0.1:1']],
  ['job <number> failed after <number> ms', ['job 1 failed after 20 ms', 'job 99 failed after 3.5 ms']],
  ['no user <uuid>', ['no user 123e4567-e89b-12d3-a456-426614174000', 'no user 00000000-0000-0000-0000-00000000000A']],
  ['bad digest <hex>', ['bad digest deadbeef01', 'bad digest 0xff', 'bad digest 9f86d081884c7d65']],
  ['<text> is not a valid email', ['"a@b" is not a valid email', "'' is not a valid email"]],
  ['no room for <address>', ['no room for ann@example.org', 'no room for bob.x+y@mail.example']],
  [
    'expired at <date>',
    ['expired at 2026-11-30T10:41:07.123Z', 'expired at 2025-01-01', 'expired at 2025-01-01 10:00'],
  ],
  ['ENOENT: no such file or directory, open <text>', ["ENOENT: no such file or directory, open '/a/b'"]],
  ['cannot read <path>', ['cannot read /var/lib/x/y.txt', 'cannot read C:\\data\\x.bin']],
  ['GET <url> gave <number>', ['GET https://example.org/a?b=1 gave 502', 'GET http://x.test:80/ gave 404']],
  ['first line', ['first line\nsecond 1', 'first line\n  at somewhere']],
  ['', ['', '   ', '\n\n']],
];

describe('what errors have in common', () => {
  it.each(ALIKE)('is %j', (message, messages) => {
    const kinds = messages.map((one) => errorKind(error(one)));
    expect(kinds.map((kind) => kind.message)).toEqual(messages.map(() => message));
    expect(new Set(kinds.map(({ fingerprint }) => fingerprint)).size).toBe(1);
  });

  it('keeps different causes apart', () => {
    const all = ALIKE.map(([, [message]]) => errorKind(error(message ?? '')).fingerprint);
    expect(new Set(all).size).toBe(ALIKE.length);
    expect(errorKind(error('x')).fingerprint).not.toBe(errorKind(error('x', { class: 'TypeError' })).fingerprint);
  });

  it('is the place in the application, wherever that is and whatever line it is at', () => {
    const one = errorKind(error('', { stack: STACK(3) }));
    expect(one.frame).toBe('send mail/mailer.js');
    expect(errorKind(error('', { stack: STACK(80, '/home/ann/shop') }))).toEqual(one);
    const other = errorKind(error('', { stack: STACK(3).replace('send', 'receive') }));
    expect(other.fingerprint).not.toBe(one.fingerprint);
    expect(errorKind(error('')).fingerprint).not.toBe(one.fingerprint);
  });

  it('says by which rules it was found', () => {
    expect(errorKind(error('x')).fingerprint).toMatch(/^1-[0-9a-f]{16}$/);
  });

  it('takes time that is linear in hostile texts', () => {
    for (const text of ['"'.repeat(8192), 'a@'.repeat(4096), '/a'.repeat(4096), '0'.repeat(8192), '\\'.repeat(8192)]) {
      const stack = Array.from({ length: 500 }, () => `    at ${text.slice(0, 400)}`).join('\n');
      expect(errorKind({ class: text, message: text, stack }).fingerprint).toMatch(/^1-/);
    }
  });
});
