import type { JobStore, RedrivesAnswer, Selection } from '@holdfast/contract';
import { Inject, Post, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { actedBy, actingPerson } from './acting-person.js';
import { ActivityLog } from './activity-log.js';
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

  readonly #activity: ActivityLog;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, access: AdminAccess, activity: ActivityLog, reply: AdminReply) {
    this.#activity = activity;
    this.#store = store;
    this.#access = access;
    this.#reply = reply;
  }

  @Post()
  @NeedsRole('operator')
  async create(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { ids, allDead, reason = '' } = validate(REDRIVES_BODY, request.body, 'body');
    const selection: Selection = ids === undefined ? { all: { state: 'dead', ...allDead } } : { ids };
    const by = actingPerson(this.#access.identityOf(request), reason);
    const target = ids === undefined ? { filter: { state: 'dead' as const, ...allDead } } : listed(ids);
    const run = () => this.#store.redrive(selection, actedBy(by));
    const outcome = await this.#activity.record(by, 'redrive', target, run, (answer) => answer);
    this.#reply.json<RedrivesAnswer>(response, { outcome });
  }
}

const IDS_LISTED_MAX = 100;

function listed(ids: readonly string[]) {
  return { ids: ids.slice(0, IDS_LISTED_MAX), idsCount: ids.length };
}
