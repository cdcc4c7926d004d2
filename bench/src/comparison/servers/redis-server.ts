import type { RedisDurability } from '../entrant.js';
import { findCommand } from './find-command.js';
import { freePort, type RunningServer, startServer } from './server-process.js';

export function redisCommand(): string | undefined {
  return findCommand('redis-server', 'REDIS_SERVER');
}

/** Without snapshots, so that what it promises is the append-only file alone. */
export async function startRedis(directory: string, appendFsync: RedisDurability): Promise<RunningServer> {
  const port = await freePort();
  const appendOnly =
    appendFsync === 'no' ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', appendFsync];
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', ''];
  return startServer({
    command: redisCommand()!,
    args: [...args, '--maxmemory-policy', 'noeviction', ...appendOnly],
    port,
    directory,
  });
}
