import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ChildProgram } from './child-program.js';
import { compileProgram } from './compile-program.js';
import { sourcesOf } from './page-sources.js';
import { temporaryDirectory } from './temporary-directory.js';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

it('the quick start of the README compiles, takes an order, works on it and ends on SIGTERM', async () => {
  const built = await compileProgram(sourcesOf('../README.md'));
  const port = await freePort();
  const QUEUE_DIRECTORY = temporaryDirectory();
  const program = new ChildProgram(join(built, 'main.js'), { PORT: String(port), QUEUE_DIRECTORY });
  // What Nest itself says before it listens is too early.
  await program.said(/Orders are taken at/);
  const answer = await fetch(`http://127.0.0.1:${port}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderId: 'o-1', email: 'ada@example.org' }),
  });
  expect([answer.status, await answer.json()]).toEqual([
    201,
    { id: expect.any(String), state: 'ready', outcome: 'created' },
  ]);
  await program.said(/Receipt of o-1 sent to ada@example.org, attempt 1/);
  program.signal('SIGTERM');
  expect(await program.ended).toBe('SIGTERM');
}, 60_000);

it.each(['moving-from-bullmq.md', 'nestjs.md', 'operating.md', 'telemetry.md'])(
  'the examples of docs/%s compile',
  async (page) => {
    await compileProgram(sourcesOf(`../../../docs/${page}`));
  },
  60_000,
);
