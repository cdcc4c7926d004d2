import type { JobStore } from '@holdfast/contract';
import { Get, Inject, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import { QueueLooks } from './queue-looks.js';

@ApiController('overview')
export class OverviewController {
  readonly #store: JobStore;
  readonly #looks: QueueLooks;
  readonly #reply: AdminReply;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, looks: QueueLooks, reply: AdminReply) {
    this.#store = store;
    this.#looks = looks;
    this.#reply = reply;
  }

  @Get()
  async show(@Res() response: unknown): Promise<void> {
    const { json } = await this.#looks.shared();
    this.#reply.overview(response, this.#store.health(), json);
  }
}
