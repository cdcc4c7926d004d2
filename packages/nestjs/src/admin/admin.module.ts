import {
  type DynamicModule,
  type FactoryProvider,
  Module,
  type NestModule,
  type OnModuleInit,
  type ValueProvider,
} from '@nestjs/common';
import { HttpAdapterHost, RouterModule } from '@nestjs/core';
import { ActivityController } from './activity.controller.js';
import { ActivityLog } from './activity-log.js';
import { AdminAccess } from './admin-access.js';
import { ADMIN_CLOCK, adminClock } from './admin-clock.js';
import {
  ADMIN_OPTIONS,
  type HoldfastAdminAsyncOptions,
  type HoldfastAdminOptions,
  type HoldfastAdminSettings,
  mountPath,
} from './admin-options.js';
import { AdminReply } from './admin-reply.js';
import { AttentionController } from './attention.controller.js';
import { BodyRefusals } from './body-refusals.js';
import { BulkController } from './bulk.controller.js';
import { BulkOperations } from './bulk-operations.js';
import { BulkRunner } from './bulk-runner.js';
import { placeCatchAll } from './catch-all.js';
import { DashboardFiles } from './dashboard-files.js';
import { DeadGroupsController } from './dead-groups.controller.js';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { JobActsController } from './job-acts.controller.js';
import { JobCopies } from './job-copies.js';
import { JobsController } from './jobs.controller.js';
import { LatencyController } from './latency.controller.js';
import { LeasesController } from './leases.controller.js';
import { MetaController } from './meta.controller.js';
import { OpenApiController } from './open-api.controller.js';
import { OverviewController } from './overview.controller.js';
import { QueueLooks } from './queue-looks.js';
import { QueuesController } from './queues.controller.js';
import { Redaction } from './redaction.js';
import { RedrivesController } from './redrives.controller.js';
import { ProblemFilter } from './refusal.filter.js';
import { RequestBudgetGuard } from './request-budget.guard.js';
import { StaticAppController } from './static-app.controller.js';
import { StorageController } from './storage.controller.js';
import { UnknownRouteController } from './unknown-route.controller.js';
import { WorkersController } from './workers.controller.js';

export const API_CONTROLLERS = [
  MetaController,
  OverviewController,
  AttentionController,
  JobsController,
  LeasesController,
  StorageController,
  RedrivesController,
  DeadGroupsController,
  WorkersController,
  LatencyController,
  JobActsController,
  QueuesController,
  BulkController,
  ActivityController,
  EventsController,
  OpenApiController,
];

const PROVIDERS = [
  { provide: DashboardFiles, useFactory: () => DashboardFiles.readInstalled() },
  { provide: ADMIN_CLOCK, useValue: adminClock },
  AdminAccess,
  AdminReply,
  ActivityLog,
  JobCopies,
  BulkOperations,
  BulkRunner,
  EventStreams,
  QueueLooks,
  Redaction,
  RequestBudgetGuard,
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
  static forRootAsync<Injected extends unknown[]>(options: HoldfastAdminAsyncOptions<Injected>): DynamicModule {
    const path = mountPath(options.path);
    return mount(path, options.imports ?? [], {
      provide: ADMIN_OPTIONS,
      inject: options.inject ?? [],
      useFactory: async (...injected: Injected): Promise<HoldfastAdminOptions> => {
        const settings: HoldfastAdminSettings = await options.useFactory(...injected);
        return { ...settings, path: options.path };
      },
    });
  }
}

/** Nest keeps the path of a module on its class, and that of a controller too: so each mount has classes of its own. */
function mount(
  path: string,
  imports: NonNullable<DynamicModule['imports']>,
  options: ValueProvider | FactoryProvider,
): DynamicModule {
  class UnknownRoutes extends UnknownRouteController {}
  class StaticApp extends StaticAppController {}

  @Module({})
  class HoldfastAdminMount implements NestModule, OnModuleInit {
    readonly #adapterHost: HttpAdapterHost;
    readonly #reply: AdminReply;
    #bodyRefusals: BodyRefusals | undefined;

    constructor(adapterHost: HttpAdapterHost, reply: AdminReply) {
      this.#adapterHost = adapterHost;
      this.#reply = reply;
    }

    /** The last that Nest calls before it maps routes. */
    configure(): void {
      const { httpAdapter } = this.#adapterHost;
      const framework = httpAdapter.getType();
      placeCatchAll(UnknownRoutes, 'api', framework);
      placeCatchAll(StaticApp, '', framework);
      this.#bodyRefusals = new BodyRefusals(httpAdapter, path, new ProblemFilter(this.#reply));
      this.#bodyRefusals.watchRoutes();
    }

    /** The first that Nest calls once it has mapped them. */
    onModuleInit(): void {
      this.#bodyRefusals?.handleErrors();
    }
  }

  return {
    module: HoldfastAdminModule,
    imports: [
      {
        module: HoldfastAdminMount,
        imports,
        // Express asks routes in this order: what catches all comes last.
        controllers: [...API_CONTROLLERS, UnknownRoutes, StaticApp],
        providers: [options, ...PROVIDERS],
      },
      RouterModule.register([{ path, module: HoldfastAdminMount }]),
    ],
  };
}
