import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Customer } from './customer.js';

@Controller('customer')
export class CustomerController {
  constructor(private readonly customer: Customer) {}

  @Get()
  report() {
    return { running: this.customer.running };
  }

  @Post('start')
  @HttpCode(200)
  start() {
    this.customer.start();
    return this.report();
  }

  @Post('stop')
  @HttpCode(200)
  stop() {
    this.customer.stop();
    return this.report();
  }
}
