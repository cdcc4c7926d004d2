import { type JobStore } from '@holdfast/contract';
import { InjectStore } from '@holdfast/nestjs';
import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';

@Controller('health')
export class HealthController {
  constructor(@InjectStore() private readonly store: JobStore) {}

  /** 200 while orders can be taken, else 503 with the reason. */
  @Get()
  health() {
    const { status, detail, reopened } = this.store.health();
    if (status !== 'open') throw new ServiceUnavailableException(`The store is ${status}. ${detail ?? ''}`.trim());
    return { status: 'ok', store: { status, reopened }, pid: process.pid };
  }
}
