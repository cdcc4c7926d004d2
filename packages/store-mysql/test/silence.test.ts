import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Database } from '../src/database.js';
import { REAL } from '../src/open-mysql-store.js';
import { MysqlLink } from '../src/session-link.js';
import { SilentServer } from './silent-server.js';

const CALL_TIMEOUT_MS = 500;
const COMMON = { schema: 'holdfast', location: 'db', callTimeoutMs: CALL_TIMEOUT_MS, surroundings: REAL };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('a call that the server does not answer fails in its time, also where there is something to undo', async () => {
  const server = new SilentServer();
  const problems: unknown[] = [];
  const reached = (problem: unknown) => problems.push(problem);
  const database = new Database({ ...COMMON, pool: server, isOwnPool: true, reached });
  const call = database.transaction(async (queries) => {
    server.isSilent = true;
    return queries.run('time', []);
  });
  const failed = expect(call).rejects.toMatchObject({ code: 'STORE_FAILED', outcome: 'rejected' });
  await vi.advanceTimersByTimeAsync(CALL_TIMEOUT_MS);
  await failed;
  expect(server.asked).not.toContain('rollback');
  expect(server.closed).toBe(1);
  expect(String(problems)).toContain('no answer came within 500 ms');
});

it('a call is made on another connection than one that died while nobody used it', async () => {
  const server = new SilentServer();
  const database = new Database({ ...COMMON, pool: server, isOwnPool: true, reached: () => {} });
  await database.run('time', []);
  await vi.advanceTimersByTimeAsync(60_000);
  server.isSilent = true;
  const call = database.run('time', []);
  await vi.advanceTimersByTimeAsync(1);
  server.isSilent = false;
  await vi.advanceTimersByTimeAsync(5000);
  await call;
  expect(server.closed).toBe(1);
  expect(server.asked.filter((sql) => sql === 'select 1')).toHaveLength(1);
});

it('a connection that is kept is given up when it answers nothing, and nobody who has asked is left waiting', async () => {
  const server = new SilentServer();
  const lost = vi.fn();
  const connection = await new MysqlLink({ ...COMMON, pool: server }).connect(1, { lost, heard: () => {} });
  server.isSilent = true;
  const asked = [connection.ping(), connection.leads(), connection.leave(), connection.queries.run('time', [])];
  const failed = expect(Promise.allSettled(asked)).resolves.toMatchObject(asked.map(() => ({ status: 'rejected' })));
  await vi.advanceTimersByTimeAsync(CALL_TIMEOUT_MS);
  await failed;
  expect(lost).toHaveBeenCalled();
});

it.each([0, null] as const)(
  'a connection that does not get the lock of its process (%s) is none: others would take the process for ended',
  async (lock) => {
    const server = new SilentServer();
    server.lock = lock;
    const listener = { lost: vi.fn(), heard: () => {} };
    const link = new MysqlLink({ ...COMMON, pool: server });
    await expect(link.connect(1, listener)).rejects.toMatchObject({ code: 'STORE_FAILED', outcome: 'rejected' });
    expect(server.asked.filter((sql) => sql.includes('process'))).toEqual([]);
    expect([server.closed, link.work]).toEqual([1, undefined]);
  },
);
