import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { firstFreePort, LOOPBACK, portOf } from './free-port.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

it('takes the next port when one is taken', async () => {
  const taken = await listen(0);
  const port = await firstFreePort(taken);
  expect(port).toBeGreaterThan(taken);
  expect(await listen(port)).toBe(port);
});

it('takes the port that was wanted when it is free', async () => {
  const port = await listen(0);
  servers.pop()?.close();
  await expect.poll(() => firstFreePort(port)).toBe(port);
});

it('leaves 0 to the system', async () => {
  expect(await firstFreePort(0)).toBe(0);
});

async function listen(port: number): Promise<number> {
  const server = createServer().listen(port, LOOPBACK);
  servers.push(server);
  await once(server, 'listening');
  return portOf(server);
}
