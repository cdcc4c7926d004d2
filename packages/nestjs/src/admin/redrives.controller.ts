import type { JobStore, RedrivesAnswer, Selection } from '@holdfast/contract';
import { Inject, Post, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { NeedsRole } from './admin-access.guard.js';
import { AdminAccess } from './admin-access.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { REDRIVES_BODY, validate } from './request-schema.js';

/** A redrive is created: dead jobs become ready again, and the act is recorded with who asked for it and why. */
@ApiController('redrives')
export class RedrivesController {
  readonly #store: JobStore;
  readonly #access: AdminAccess;
  readonly #reply: AdminReply;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, access: AdminAccess, reply: AdminReply) {
    this.#store = store;
    this.#access = access;
    this.#reply = reply;
  }

  @Post()
  @NeedsRole('operator')
  async create(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { ids, allDead, reason = '' } = validate(REDRIVES_BODY, request.body, 'body');
    const selection: Selection = ids === undefined ? { all: { state: 'dead', ...allDead } } : { ids };
    const { actor } = this.#access.identityOf(request);
    const outcome = await this.#store.redrive(
      selection,
      reason.trim() === '' ? { actor } : { actor, reason: reason.trim() },
    );
    this.#reply.json<RedrivesAnswer>(response, { outcome });
  }
}
