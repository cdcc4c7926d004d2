import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

const PORTS_TRIED_MAX = 20;

/**
 * The first port from `wanted` on that nobody listens on; 0 stays 0, which means any. Another program may still take
 * the port before the caller does: then the caller's own `listen` says so.
 *
 * @throws Error when the ports tried are all taken.
 */
export async function firstFreePort(wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  for (let port = wanted; port < wanted + PORTS_TRIED_MAX && port <= 65_535; port++) {
    if (await isFree(port)) return port;
  }
  throw new Error(`Ports ${wanted} and the ${PORTS_TRIED_MAX - 1} after it are all taken. Choose another with PORT.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
    return true;
  } catch (error) {
    // A port below 1024 that one may not use is as little use as one that is taken.
    if (isTaken(error)) return false;
    throw error;
  } finally {
    server.close();
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
}

/** The port that a listening server got. */
export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  return address.port;
}
