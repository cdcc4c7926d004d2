import { type JobStore, type RecoveryReport } from '@holdfast/contract';
import { HOLDFAST_STORE } from '@holdfast/nestjs';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { type DemoConfig } from './demo-config.js';
import { firstFreePort, LOOPBACK, portOf } from './http/free-port.js';
import { readJsonBodies } from './http/json-body.js';

export interface RunningShop {
  readonly port: number;
  readonly pid: number;
  /** What the last end of the shop left in the log. */
  readonly recovery: RecoveryReport;
}

/** Resolves when the shop takes orders. SIGTERM and Ctrl-C end it in order: handlers finish, the log is closed. */
export async function startShop(config: DemoConfig): Promise<RunningShop> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config), {
    // A boot that fails is told by whoever called, in one voice: Nest would print the stack first and then exit by itself.
    abortOnError: false,
    bufferLogs: true,
    autoFlushLogs: false,
    // Not the warnings: the webhooks fail by design, and each failure that is tried again would push the addresses off the screen.
    logger: ['error', 'fatal'],
    bodyParser: false,
    // Browsers keep connections open; the end of the shop does not wait for them.
    forceCloseConnections: true,
  });
  readJsonBodies(app);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  await app.init();
  app.flushLogs();
  const server = await app.listen(await firstFreePort(config.port), LOOPBACK);
  const { recovery } = await app.get<JobStore>(HOLDFAST_STORE).storage();
  return { port: portOf(server), pid: process.pid, recovery };
}
