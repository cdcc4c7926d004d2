import type { ActivityAnswer } from '@holdfast/contract';
import { Get, Req, Res } from '@nestjs/common';
import { ACTIVITY_KEPT, ActivityLog } from './activity-log.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { PAGE_QUERY, validate } from './request-schema.js';

const ENTRIES_DEFAULT = 50;

@ApiController('activity')
export class ActivityController {
  readonly #log: ActivityLog;
  readonly #reply: AdminReply;

  constructor(log: ActivityLog, reply: AdminReply) {
    this.#log = log;
    this.#reply = reply;
  }

  @Get()
  async list(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { limit = ENTRIES_DEFAULT, cursor } = validate(PAGE_QUERY, request.query, 'query');
    const page = await this.#log.list(limit, cursor);
    this.#reply.json<ActivityAnswer>(response, { ...page, kept: ACTIVITY_KEPT });
  }
}
