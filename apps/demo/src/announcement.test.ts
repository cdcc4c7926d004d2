import { type RecoveryReport } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { announcement } from './announcement.js';
import { readConfig } from './demo-config.js';

const recovery: RecoveryReport = {
  kind: 'clean',
  atMs: 0,
  tookMs: 3.2,
  segments: 1,
  bytesRead: 1_000,
  recordsReplayed: 40,
  leasesEnded: { retried: 0, dead: 0 },
  epoch: 2,
};

function announced(env: NodeJS.ProcessEnv, found: Partial<RecoveryReport> = {}): string {
  return announcement(readConfig(env, '/home/ada'), { port: 3000, pid: 4711, recovery: { ...recovery, ...found } });
}

it('gives addresses, directories and what to type', () => {
  const text = announced({});
  expect(text).toContain('Dashboard  http://127.0.0.1:3000/admin/queues');
  expect(text).toContain('/home/ada/demo-data/queue');
  expect(text).toContain('kill -9 4711');
  expect(text).toContain('curl -s -X POST http://127.0.0.1:3000/receiver/mend');
});

it('says which port was taken', () => {
  expect(announced({ PORT: '2999' })).toContain('Port 2999 is taken, so the shop is on 3000.');
  expect(announced({})).not.toContain('is taken');
});

it('says how the last shop ended', () => {
  expect(announced({}, { kind: 'new' })).toContain('Recovery   the queue is new');
  expect(announced({})).toContain('the last shop ended in order; 40 records read in 3 ms');
  const cutOff = { kind: 'unclean', leasesEnded: { retried: 2, dead: 1 } } as const;
  expect(announced({}, cutOff)).toContain('was cut off with 3 jobs under way');
});
