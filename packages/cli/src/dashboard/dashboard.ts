import type { CommandContext } from '../command-context.js';
import type { DashboardCommand } from '../command-line.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { BrowserAccess } from './browser-access.js';
import { DashboardServer } from './dashboard-server.js';
import { type OpenedStore, openStore } from './opened-store.js';

/** Serves the dashboard until the process is asked to end. Standard output gets the address and nothing else. */
export async function dashboard(command: DashboardCommand, context: CommandContext): Promise<ExitCode> {
  // From here on the store may be open: whoever asks the process to end lets it be closed first.
  const stopped = context.stopped();
  const opened = await openStore(command);
  const access = new BrowserAccess(command.role);
  const server = await DashboardServer.start({ opened, access, port: command.port, err: context.err });
  try {
    await announce(opened, access.address(server.port), context);
    await stopped;
  } finally {
    await server.close();
  }
  return EXIT.sound;
}

async function announce(opened: OpenedStore, address: string, { out, err }: CommandContext): Promise<void> {
  err.line(`The dashboard of ${opened.location}, for this machine alone, until Ctrl-C:`);
  await err.flush();
  out.line(address);
  await out.flush();
  err.line(opened.notice);
  await err.flush();
}
