import type { JobStore, LeasesAnswer } from '@holdfast/contract';
import { isInternalQueue } from '@holdfast/contract/rules';
import { Get, Inject, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import { Redaction } from './redaction.js';

const LEASES_SHOWN_MAX = 1000;

@ApiController('leases')
export class LeasesController {
  readonly #store: JobStore;
  readonly #redaction: Redaction;
  readonly #reply: AdminReply;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, redaction: Redaction, reply: AdminReply) {
    this.#store = store;
    this.#redaction = redaction;
    this.#reply = reply;
  }

  @Get()
  async show(@Res() response: unknown): Promise<void> {
    const [leases, expiries] = await Promise.all([this.#store.leases(LEASES_SHOWN_MAX), this.#store.leaseExpiries()]);
    const shown = ({ queue }: { readonly queue: string }) => !isInternalQueue(queue);
    this.#reply.json<LeasesAnswer>(response, {
      leases: leases.filter(shown).map((lease) => this.#redaction.lease(lease)),
      expiries: expiries.filter(shown),
    });
  }
}
