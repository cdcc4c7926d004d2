import { type DynamicModule, type FactoryProvider, Module, type ValueProvider } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { AdminAccess } from './admin-access.js';
import {
  ADMIN_OPTIONS,
  type HoldfastAdminAsyncOptions,
  type HoldfastAdminOptions,
  type HoldfastAdminSettings,
  mountPath,
} from './admin-options.js';
import { AdminReply } from './admin-reply.js';
import { DashboardFiles } from './dashboard-files.js';
import { JobsController } from './jobs.controller.js';
import { LeasesController } from './leases.controller.js';
import { MetaController } from './meta.controller.js';
import { OverviewController } from './overview.controller.js';
import { RedrivesController } from './redrives.controller.js';
import { StaticAppController } from './static-app.controller.js';
import { StorageController } from './storage.controller.js';
import { UnknownRouteController } from './unknown-route.controller.js';

/** Express asks routes in the order of this list: the catch-alls come last. */
const CONTROLLERS = [
  MetaController,
  OverviewController,
  JobsController,
  LeasesController,
  StorageController,
  RedrivesController,
  UnknownRouteController,
  StaticAppController,
];

/**
 * The dashboard and the API behind it. Needs the store of `HoldfastModule`. Closed to everyone until `authorize` is given:
 * see docs/admin-api.md.
 */
@Module({})
export class HoldfastAdminModule {
  /** @throws InvalidArgumentError if `path` is not a path. */
  static forRoot(options: HoldfastAdminOptions): DynamicModule {
    const path = mountPath(options.path);
    return mount(path, [], { provide: ADMIN_OPTIONS, useValue: options });
  }

  /** The same with options from a factory, all but `path`. @throws InvalidArgumentError if `path` is not a path. */
  static forRootAsync(options: HoldfastAdminAsyncOptions): DynamicModule {
    const path = mountPath(options.path);
    return mount(path, options.imports ?? [], {
      provide: ADMIN_OPTIONS,
      inject: options.inject ?? [],
      useFactory: async (...injected: unknown[]): Promise<HoldfastAdminOptions> => {
        const settings: HoldfastAdminSettings = await options.useFactory(...injected);
        return { ...settings, path: options.path };
      },
    });
  }
}

function mount(
  path: string,
  imports: NonNullable<DynamicModule['imports']>,
  options: ValueProvider | FactoryProvider,
): DynamicModule {
  // Nest keeps a module's path on its class, so a class for all mounts would have the path of the last one.
  @Module({})
  class HoldfastAdminMount {}
  const dashboardFiles = { provide: DashboardFiles, useFactory: () => DashboardFiles.readInstalled() };
  return {
    module: HoldfastAdminModule,
    imports: [
      {
        module: HoldfastAdminMount,
        imports,
        controllers: CONTROLLERS,
        providers: [options, dashboardFiles, AdminAccess, AdminReply],
      },
      RouterModule.register([{ path, module: HoldfastAdminMount }]),
    ],
  };
}
