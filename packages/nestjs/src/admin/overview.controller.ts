import type { JobStore, OverviewAnswer } from '@holdfast/contract';
import { Get, Inject, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import { overviewOf } from './shown-queues.js';

@ApiController('overview')
export class OverviewController {
  readonly #store: JobStore;
  readonly #reply: AdminReply;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, reply: AdminReply) {
    this.#store = store;
    this.#reply = reply;
  }

  @Get()
  async show(@Res() response: unknown): Promise<void> {
    const queues = await this.#store.queues();
    this.#reply.json<OverviewAnswer>(response, overviewOf(this.#store.health(), queues));
  }
}
