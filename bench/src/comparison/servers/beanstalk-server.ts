import { findCommand } from './find-command.js';
import { freePort, type RunningServer, startServer } from './server-process.js';

export function beanstalkdCommand(): string | undefined {
  return findCommand('beanstalkd', 'BEANSTALKD', ['/usr/sbin', '/usr/local/sbin']);
}

export async function startBeanstalkd(directory: string): Promise<RunningServer> {
  const port = await freePort();
  const args = ['-l', '127.0.0.1', '-p', String(port), '-b', directory, '-f', '0'];
  return startServer({ command: beanstalkdCommand()!, args, port, directory });
}
