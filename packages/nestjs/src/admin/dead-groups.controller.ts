import type { DeadGroupsAnswer, JobStore } from '@holdfast/contract';
import { Get, Inject, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { Redaction } from './redaction.js';
import { unsupported } from './refusal.js';
import { DEAD_GROUPS_QUERY, validate } from './request-schema.js';

const GROUPS_DEFAULT = 50;

@ApiController('dead')
export class DeadGroupsController {
  readonly #store: JobStore;
  readonly #redaction: Redaction;
  readonly #reply: AdminReply;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, redaction: Redaction, reply: AdminReply) {
    this.#store = store;
    this.#redaction = redaction;
    this.#reply = reply;
  }

  @Get('groups')
  async list(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const query = validate(DEAD_GROUPS_QUERY, request.query, 'query');
    const { limit = GROUPS_DEFAULT, cursor, ...filter } = query;
    if (this.#store.deadGroups === undefined) throw unsupported('groups of dead jobs');
    const page = await this.#store.deadGroups(filter, { limit, ...(cursor === undefined ? {} : { cursor }) });
    const groups = page.groups.map((group) => this.#redaction.group(group));
    this.#reply.json<DeadGroupsAnswer>(response, { ...page, groups });
  }
}
