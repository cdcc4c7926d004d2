import type { JobStore, WorkersAnswer } from '@holdfast/contract';
import { Get, Inject, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import { unsupported } from './refusal.js';
import { shownWorkers } from './shown-queues.js';

@ApiController('workers')
export class WorkersController {
  readonly #store: JobStore;
  readonly #reply: AdminReply;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, reply: AdminReply) {
    this.#store = store;
    this.#reply = reply;
  }

  @Get()
  async list(@Res() response: unknown): Promise<void> {
    if (this.#store.workers === undefined) throw unsupported('a list of workers');
    this.#reply.json<WorkersAnswer>(response, { workers: shownWorkers(await this.#store.workers()) });
  }
}
