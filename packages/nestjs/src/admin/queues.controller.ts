import type { JobStore, QueuePauseAnswer, QueueResumeAnswer } from '@holdfast/contract';
import { Inject, Post, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { actedBy, actingPerson } from './acting-person.js';
import { ActivityLog } from './activity-log.js';
import { NeedsRole } from './admin-access.guard.js';
import { AdminAccess } from './admin-access.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { refuseOwnQueue } from './own-queues.js';
import { QUEUE_PAUSE_BODY, QUEUE_RESUME_BODY, validate } from './request-schema.js';

/** Queues are named in the body: a name may be anything, and a proxy may not be trusted with it in a path. */
@ApiController('queues')
export class QueuesController {
  readonly #store: JobStore;
  readonly #access: AdminAccess;
  readonly #activity: ActivityLog;
  readonly #reply: AdminReply;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, access: AdminAccess, activity: ActivityLog, reply: AdminReply) {
    this.#store = store;
    this.#access = access;
    this.#activity = activity;
    this.#reply = reply;
  }

  @Post('pause')
  @NeedsRole('operator')
  async pause(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { queue, forMs, reason } = validate(QUEUE_PAUSE_BODY, request.body, 'body');
    refuseOwnQueue(queue, 'queue');
    const by = actingPerson(this.#access.identityOf(request), reason);
    const run = () => this.#store.pause(queue, actedBy(by), forMs === undefined ? {} : { forMs });
    const paused = await this.#activity.record(by, 'pause', { queue }, run, () => undefined);
    this.#reply.json<QueuePauseAnswer>(response, { paused });
  }

  @Post('resume')
  @NeedsRole('operator')
  async resume(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { queue, reason } = validate(QUEUE_RESUME_BODY, request.body, 'body');
    refuseOwnQueue(queue, 'queue');
    const by = actingPerson(this.#access.identityOf(request), reason);
    const run = () => this.#store.resume(queue, actedBy(by));
    const resumed = await this.#activity.record(by, 'resume', { queue }, run, () => undefined);
    this.#reply.json<QueueResumeAnswer>(response, { resumed });
  }
}
