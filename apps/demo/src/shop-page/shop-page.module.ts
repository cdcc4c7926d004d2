import { Module } from '@nestjs/common';
import { CustomerModule } from '../customer/customer.module.js';
import { MailServerModule } from '../mail-server/mail-server.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { ReceiverModule } from '../receiver/receiver.module.js';
import { HealthController } from './health.controller.js';
import { ShopPageController } from './shop-page.controller.js';

@Module({
  imports: [OrdersModule, MailServerModule, CustomerModule, ReceiverModule],
  controllers: [HealthController, ShopPageController],
})
export class ShopPageModule {}
