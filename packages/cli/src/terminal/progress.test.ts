import { expect, it } from 'vitest';
import { Sink } from '../../test/rig.js';
import { Progress } from './progress.js';

function reportFor(ms: number, terminal: Sink | undefined): void {
  let nowMs = 0;
  const progress = new Progress({ terminal, monotonicMs: () => nowMs });
  for (; nowMs < ms; nowMs++) for (let call = 0; call < 64; call++) progress.report('Reading', nowMs * 1024, ms * 1024);
  progress.clear();
}

it('shows nothing for work that is soon done', () => {
  const terminal = new Sink(true);
  reportFor(900, terminal);
  expect(terminal.text).toBe('');
});

it('shows one line that is written over, and clears it', () => {
  const terminal = new Sink(true);
  reportFor(2000, terminal);
  const shown = terminal.text.split('\r\u001b[K');
  expect(shown[1]).toBe('Reading: 1000.0 KiB of 2.0 MiB (50 %)');
  expect(shown.length).toBeLessThan(10);
  expect(shown.at(-1)).toBe('');
  expect(terminal.text).not.toContain('\n');
});

it('stays within one line of a narrow terminal, and asks none that does not know how wide it is', () => {
  const narrow = Object.assign(new Sink(true), { columns: 20 });
  reportFor(2000, narrow);
  expect(narrow.text.split('\r\u001b[K')[1]).toBe('Reading: 1000.0 KiB');
  const unknown = Object.assign(new Sink(true), { columns: 0 });
  reportFor(2000, unknown);
  expect(unknown.text.split('\r\u001b[K')[1]).toBe('Reading: 1000.0 KiB of 2.0 MiB (50 %)');
});

it('shows nothing where there is no terminal', () => {
  expect(() => reportFor(2000, undefined)).not.toThrow();
});
