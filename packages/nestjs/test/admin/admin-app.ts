import 'reflect-metadata';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JobStore } from '@holdfast/contract';
import {
  type DynamicModule,
  type INestApplication,
  type LoggerService,
  Module,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import supertest from 'supertest';
import { HoldfastAdminModule } from '../../src/admin/admin.module.js';
import { ADMIN_CLOCK } from '../../src/admin/admin-clock.js';
import type { HoldfastAdminSettings } from '../../src/admin/admin-options.js';
import { DashboardFiles } from '../../src/admin/dashboard-files.js';
import { HOLDFAST_STORE } from '../../src/holdfast.tokens.js';
import { FakeJobStore } from './fake-job-store.js';

export const PLATFORMS = ['express', 'fastify'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** What the clock of every application here shows. */
export const SERVER_TIME_MS = 1_790_000_000_123;

/** As a build of the dashboard looks, in small. */
export const BUILT_FILES = new DashboardFiles(
  new Map([
    [
      'index.html',
      Buffer.from(
        '<!doctype html><html><head lang="en">\n<script src="./assets/app-1a2b3c.js"></script></head></html>',
      ),
    ],
    ['assets/app-1a2b3c.js', Buffer.from('console.log("dashboard");')],
    ['favicon.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ]),
);

export interface AdminAppSetup {
  readonly settings?: HoldfastAdminSettings;
  readonly path?: string;
  readonly store?: JobStore;
  readonly files?: DashboardFiles;
  readonly module?: DynamicModule;
  readonly providers?: Provider[];
  readonly controllers?: Type[];
  /** In place of time that passes by itself. */
  monotonicMs?(): number;
  configure?(app: INestApplication): void;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** All that a logger was told, as text. */
export class CapturedLog implements LoggerService {
  readonly lines: string[] = [];

  log(): void {}

  error(...told: unknown[]): void {
    this.lines.push(`error ${told.join(' ')}`);
  }

  warn(...told: unknown[]): void {
    this.lines.push(`warn ${told.join(' ')}`);
  }

  debug(...told: unknown[]): void {
    this.lines.push(`debug ${told.join(' ')}`);
  }
}

export const operator: HoldfastAdminSettings = { authorize: () => ({ role: 'operator', actor: 'olga@example.org' }) };
export const viewer: HoldfastAdminSettings = { authorize: () => ({ role: 'viewer', actor: 'victor@example.org' }) };

/** An application on a free port of this machine with nothing in it but the dashboard and a store. */
export async function startAdminApp(platform: Platform, setup: AdminAppSetup = {}) {
  const store = setup.store ?? new FakeJobStore();
  const admin = setup.module ?? HoldfastAdminModule.forRoot({ path: setup.path ?? '/admin/queues', ...setup.settings });
  const log = new CapturedLog();
  const testing = await Test.createTestingModule({
    imports: [storeModule(store), admin],
    providers: setup.providers ?? [],
    controllers: setup.controllers ?? [],
  })
    .overrideProvider(DashboardFiles)
    .useValue(setup.files ?? BUILT_FILES)
    .overrideProvider(ADMIN_CLOCK)
    .useValue({ now: () => SERVER_TIME_MS, monotonicMs: () => setup.monotonicMs?.() ?? performance.now() })
    .setLogger(log)
    .compile();
  const app: INestApplication = testing.createNestApplication(
    platform === 'express' ? new ExpressAdapter() : new FastifyAdapter(),
  );
  setup.configure?.(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    log,
    origin: `http://127.0.0.1:${port}`,
    http: supertest(`http://127.0.0.1:${port}`),
    /** Sends the path byte for byte, without the tidying up that URL classes do. */
    raw: (path: string, headers: Record<string, string> = {}) => rawGet(port, path, headers),
    close: () => app.close(),
  };
}

export type AdminApp = Awaited<ReturnType<typeof startAdminApp>>;

function storeModule(store: JobStore): DynamicModule {
  @Module({})
  class StoreModule {}
  return {
    module: StoreModule,
    global: true,
    providers: [{ provide: HOLDFAST_STORE, useValue: store }],
    exports: [HOLDFAST_STORE],
  };
}

function rawGet(port: number, path: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}
