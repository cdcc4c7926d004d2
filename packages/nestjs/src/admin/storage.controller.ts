import type { JobStore, StorageAnswer } from '@holdfast/contract';
import { Get, Inject, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';

@ApiController('storage')
export class StorageController {
  readonly #store: JobStore;
  readonly #reply: AdminReply;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, reply: AdminReply) {
    this.#store = store;
    this.#reply = reply;
  }

  @Get()
  async show(@Res() response: unknown): Promise<void> {
    const [report, metrics] = await Promise.all([this.#store.storage(), this.#store.metrics()]);
    this.#reply.json<StorageAnswer>(response, { health: this.#store.health(), report, metrics });
  }
}
