import { Body, Controller, Post } from '@nestjs/common';
import { ValidationPipe } from '../http/validation.pipe.js';
import { type OrderForm, orderForm } from './order.js';
import { OrdersService, type PlacedOrder } from './orders.service.js';

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  /** 201 means that the order is durable. A body that does not fit is 400 and names the fields; nothing is stored then. */
  @Post()
  place(@Body(new ValidationPipe(orderForm)) form: OrderForm): Promise<PlacedOrder> {
    return this.orders.place(form);
  }
}
