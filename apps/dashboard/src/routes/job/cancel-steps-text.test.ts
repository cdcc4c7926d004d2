import type { CancelledRun } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { cancelStepsOf } from './cancel-steps-text.js';

const ASKED = 1_700_000_000_000;
const NOW = ASKED + 12_000;
const RUN: CancelledRun = { attempt: 1, worker: 'shop-a:4100', requestedAtMs: ASKED, known: true };
const HEARD: CancelledRun = { ...RUN, heardAtMs: ASKED + 4 };

function said(run: CancelledRun): string[] {
  return cancelStepsOf(run, NOW).map(({ tone, text, after }) => [tone, text, after ?? ''].join(' | '));
}

it('says that the handler works on, and for how long', () => {
  expect(said(HEARD)).toEqual([
    'done | Cancel asked for | ',
    'done | Handler told | 4 ms later',
    'open | Handler still works | for 11 s',
  ]);
});

it('says how the handler ended, and marks what was no stop', () => {
  const ended = { ...HEARD, endedAtMs: ASKED + 1504 };
  expect(said({ ...ended, ended: 'stopped' }).at(-1)).toBe('done | Handler stopped | 1.5 s later');
  expect(said({ ...ended, ended: 'returned' }).at(-1)).toBe(
    'unheeded | Handler returned; what it answered is not kept | 1.5 s later',
  );
  expect(said({ ...ended, ended: 'failed', error: { class: 'TypeError', message: 'no' } }).at(-1)).toBe(
    'unheeded | Handler threw TypeError: no | 1.5 s later',
  );
});

it('says what was not told, and what nobody here knows', () => {
  expect(said(RUN)).toEqual([
    'done | Cancel asked for | ',
    'open | Handler not told yet: its worker hears when it extends the lease | ',
  ]);
  expect(said({ ...RUN, endedAtMs: ASKED + 20, ended: 'returned' })).toEqual([
    'done | Cancel asked for | ',
    'open | Handler not told: it had ended before its worker heard | ',
    'unheeded | Handler returned; what it answered is not kept | 20 ms later',
  ]);
  expect(said({ ...RUN, known: false }).at(-1)).toBe(
    'open | What the handler did is not known here: its worker is of another process or has ended, or it is too long ago | ',
  );
});
