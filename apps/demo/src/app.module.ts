import { HoldfastAdminModule, HoldfastModule, logStore } from '@holdfast/nestjs';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CustomerModule } from './customer/customer.module.js';
import { authorizeDashboard, DASHBOARD_PATH } from './dashboard-access.js';
import { type DemoConfig } from './demo-config.js';
import { DemoConfigModule } from './demo-config.module.js';
import { ProblemFilter } from './http/problem.filter.js';
import { OrdersModule } from './orders/orders.module.js';
import { ReceiptsModule } from './receipts/receipts.module.js';
import { ShopPageModule } from './shop-page/shop-page.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** What handlers get to finish when the shop is stopped; then they are asked to give up, and their jobs are handed back. */
const SHUTDOWN_GRACE_MS = 3_000;

@Module({})
export class AppModule {
  static with(config: DemoConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DemoConfigModule.with(config),
        HoldfastModule.forRoot({
          store: logStore({ directory: config.queueDirectory }),
          graceMs: SHUTDOWN_GRACE_MS,
          // A second demo beside the first is a slip of the hand: say so at once.
          lockWaitMs: 0,
        }),
        HoldfastAdminModule.forRoot({
          path: DASHBOARD_PATH,
          authorize: authorizeDashboard,
          environment: { label: 'demo', tone: 'neutral' },
        }),
        OrdersModule,
        ReceiptsModule,
        WebhooksModule,
        CustomerModule,
        ShopPageModule,
      ],
      providers: [{ provide: APP_FILTER, useClass: ProblemFilter }],
    };
  }
}
