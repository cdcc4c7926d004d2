import type { QueueSummary } from '@holdfast/contract';
import { expect, it, vi } from 'vitest';
import { type CommandDoors, commandsOf, matching, searchesFor } from './commands.js';

const queue = (name: string, more: Partial<QueueSummary> = {}) =>
  ({ name, counts: { dead: 0 }, ...more }) as QueueSummary;

function doors(change: Partial<CommandDoors> = {}): CommandDoors {
  return {
    queues: [queue('receipts'), queue('evil/queue ?#', { paused: { sinceMs: 0, actor: 'ada' } })],
    views: [{ name: 'VIP that failed', search: '?state=dead&q=payload.vip%3Atrue' }],
    mayAct: true,
    planned: true,
    go: vi.fn(),
    ask: vi.fn(),
    redrive: vi.fn(),
    resume: vi.fn(),
    togglePause: vi.fn(),
    toggleTimeZone: vi.fn(),
    theme: vi.fn(),
    ...change,
  };
}

const run = (of: CommandDoors, text: string) => matching(commandsOf(of), text)[0]?.run();

it('goes to pages and queues, whatever their names hold', () => {
  const of = doors();
  run(of, 'dead letters');
  expect(of.go).toHaveBeenLastCalledWith('/dead');
  run(of, 'jobs of evil');
  expect(of.go).toHaveBeenLastCalledWith('/jobs?queue=evil%2Fqueue%20%3F%23');
  run(of, 'vip that');
  expect(of.go).toHaveBeenLastCalledWith('/jobs?state=dead&q=payload.vip%3Atrue');
});

it('pauses a queue that runs, and resumes one that is paused', () => {
  const of = doors();
  run(of, 'pause receipts');
  expect(of.ask).toHaveBeenCalledWith({ kind: 'pause', queue: 'receipts' });
  run(of, 'resume evil');
  expect(of.resume).toHaveBeenCalledWith('evil/queue ?#');
});

it('offers a viewer only what looks', () => {
  const labels = commandsOf(doors({ mayAct: false })).map(({ label }) => label);
  expect(labels.filter((label) => /pause receipts|drain|redrive/i.test(label))).toEqual([]);
  expect(labels).toContain('Jobs of receipts');
});

it('takes what is typed for a job too', () => {
  const go = vi.fn();
  const [open, named, error] = searchesFor('a "b" c', go);
  open?.run();
  expect(go).toHaveBeenLastCalledWith('/jobs?job=a%20%22b%22%20c');
  named?.run();
  expect(go).toHaveBeenLastCalledWith('/jobs?name=a%20%22b%22%20c');
  error?.run();
  expect(go).toHaveBeenLastCalledWith(`/jobs?q=${encodeURIComponent('error:"a \\"b\\" c"')}`);
});
