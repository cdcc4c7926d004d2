import { Module } from '@nestjs/common';
import { OrdersModule } from '../orders/orders.module.js';
import { CustomerController } from './customer.controller.js';
import { Customer } from './customer.js';

@Module({ imports: [OrdersModule], controllers: [CustomerController], providers: [Customer], exports: [Customer] })
export class CustomerModule {}
