import { basename } from 'node:path';
import { HoldfastAdminModule, HoldfastModule } from '@holdfast/nestjs';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import type { Output } from '../terminal/output.js';
import type { BrowserAccess } from './browser-access.js';
import type { OpenedStore } from './opened-store.js';

interface DashboardServerOptions {
  readonly opened: OpenedStore;
  readonly access: BrowserAccess;
  /** 0: one that is free. */
  readonly port: number;
  /** Gets what the server has to complain of. */
  readonly err: Output;
}

/** The only address that is listened on. */
const LOOPBACK = '127.0.0.1';
/** A payload of the largest size, as JSON in JSON. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const LABEL_CHARACTERS_MAX = 40;

/** The admin module of @holdfast/nestjs in a Nest application that has nothing else in it. */
export class DashboardServer {
  readonly port: number;
  readonly #app: NestExpressApplication;

  /** Takes the store over: it is closed with the server, and where that cannot start. @throws CommandError */
  static async start(options: DashboardServerOptions): Promise<DashboardServer> {
    const { store } = options.opened;
    let app: NestExpressApplication | undefined;
    try {
      app = await makeApplication(options);
      await app.listen(options.port, LOOPBACK);
      return new DashboardServer(app, Number(new URL(await app.getUrl()).port));
    } catch (error) {
      await app?.close();
      await store.close();
      throw error;
    }
  }

  private constructor(app: NestExpressApplication, port: number) {
    this.#app = app;
    this.port = port;
  }

  /** Ends all connections, then closes the store. */
  async close(): Promise<void> {
    await this.#app.close();
  }
}

async function makeApplication({ opened, access, err }: DashboardServerOptions): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(rootModule(opened, access), new ExpressAdapter(), {
    abortOnError: false,
    bodyParser: false,
    forceCloseConnections: true,
    logger: complaintsTo(err),
  });
  app.use(access.admit);
  app.useBodyParser('json', { limit: BODY_BYTES_MAX });
  app.disable('x-powered-by');
  return app;
}

function rootModule({ store, location }: OpenedStore, access: BrowserAccess): DynamicModule {
  return {
    module: class DashboardModule {},
    imports: [
      HoldfastModule.forRoot({ store: { location, open: async () => store } }),
      HoldfastAdminModule.forRoot({
        path: '/',
        authorize: ({ headers }) => access.identify(headers.cookie) ?? null,
        environment: { label: labelOf(location), tone: 'neutral' },
        allowClone: true,
      }),
    ],
  };
}

/** Enough to tell two dashboards apart. */
function labelOf(location: string): string {
  return (basename(location) || location).slice(0, LABEL_CHARACTERS_MAX);
}

function complaintsTo(err: Output): LoggerService {
  const tell = (message: unknown) => {
    err.line(String(message));
    void err.flush();
  };
  return { log: () => {}, debug: () => {}, verbose: () => {}, warn: tell, error: tell, fatal: tell };
}
