import {
  type ActedBy,
  type ActivityEntry,
  type ActOutcome,
  type CloneAnswer,
  type JobActAnswer,
  type JobEvent,
  type JobRow,
  type JobState,
  type JobStore,
  LIFECYCLE,
} from '@holdfast/contract';
import { Inject, Post, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { actedBy, actingPerson } from './acting-person.js';
import { ActivityLog } from './activity-log.js';
import { NeedsRole } from './admin-access.guard.js';
import { AdminAccess } from './admin-access.js';
import { ApiController } from './admin-controller.decorator.js';
import { ADMIN_OPTIONS, type HoldfastAdminOptions } from './admin-options.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { JobCopies } from './job-copies.js';
import { refuseOwnQueue } from './own-queues.js';
import { Redaction } from './redaction.js';
import { noSuchJob, Refusal, unsupported } from './refusal.js';
import { CLONE_BODY, JOB_ACT_BODY, REPRIORITISE_BODY, TRANSFER_BODY, validate } from './request-schema.js';

type Act = Extract<JobEvent, 'redrive' | 'runNow' | 'cancel' | 'remove' | 'reprioritise' | 'transfer'>;

/** What a person does to one job. A state that does not allow it is told, with nothing changed. */
@ApiController('jobs/:id/acts')
export class JobActsController {
  readonly #store: JobStore;
  readonly #access: AdminAccess;
  readonly #activity: ActivityLog;
  readonly #copies: JobCopies;
  readonly #reply: AdminReply;
  readonly #redaction: Redaction;
  readonly #options: HoldfastAdminOptions;

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    access: AdminAccess,
    activity: ActivityLog,
    copies: JobCopies,
    reply: AdminReply,
    redaction: Redaction,
    @Inject(ADMIN_OPTIONS) options: HoldfastAdminOptions,
  ) {
    this.#store = store;
    this.#access = access;
    this.#activity = activity;
    this.#copies = copies;
    this.#reply = reply;
    this.#redaction = redaction;
    this.#options = options;
  }

  @Post('redrive')
  @NeedsRole('operator')
  redrive(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    return this.#plain('redrive', request, response, (ids, by) => this.#store.redrive({ ids }, by));
  }

  @Post('runNow')
  @NeedsRole('operator')
  runNow(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    return this.#plain('runNow', request, response, (ids, by) => this.#store.runNow({ ids }, by));
  }

  @Post('cancel')
  @NeedsRole('operator')
  cancel(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    return this.#plain('cancel', request, response, (ids, by) => this.#store.cancel({ ids }, by));
  }

  @Post('remove')
  @NeedsRole('admin')
  remove(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    return this.#plain('remove', request, response, (ids, by) => this.#store.remove({ ids }, by));
  }

  @Post('reprioritise')
  @NeedsRole('operator')
  reprioritise(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { priority, reason } = validate(REPRIORITISE_BODY, request.body, 'body');
    return this.#act('reprioritise', request, response, reason, (ids, by) =>
      this.#store.reprioritise({ ids }, priority, by),
    );
  }

  @Post('transfer')
  @NeedsRole('operator')
  async transfer(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { queue, reason } = validate(TRANSFER_BODY, request.body, 'body');
    refuseOwnQueue(queue, 'queue');
    const store = this.#store;
    if (store.transfer === undefined) throw unsupported('way to another queue');
    const call = store.transfer.bind(store);
    await this.#act('transfer', request, response, reason, (ids, by) => call({ ids }, queue, by), {
      toQueue: queue,
    });
  }

  @Post('clone')
  @NeedsRole('admin')
  async clone(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    if (this.#options.allowClone !== true) {
      throw new Refusal(403, 'CLONE_OFF', 'The application does not allow jobs to be cloned. Nothing was changed.');
    }
    const { reason, ...asked } = validate(CLONE_BODY, request.body, 'body');
    const { id } = await this.#known(request);
    const by = actingPerson(this.#access.identityOf(request), reason);
    const cloned = await this.#copies.copy({ id, ...asked }, by);
    if (cloned === undefined) throw noSuchJob();
    this.#reply.json<CloneAnswer>(response, { id: cloned });
  }

  #plain(
    act: Act,
    request: AdminRequest,
    response: unknown,
    run: (ids: readonly string[], by: ActedBy) => Promise<ActOutcome>,
  ): Promise<void> {
    const { reason } = validate(JOB_ACT_BODY, request.body ?? {}, 'body');
    return this.#act(act, request, response, reason, run);
  }

  async #act(
    act: Act,
    request: AdminRequest,
    response: unknown,
    reason: string | undefined,
    run: (ids: readonly string[], by: ActedBy) => Promise<ActOutcome>,
    target: ActivityEntry['target'] = {},
  ): Promise<void> {
    const { id, state } = await this.#known(request);
    if (LIFECYCLE[state][act] === 'refused') throw stateRefuses(act, state);
    const by = actingPerson(this.#access.identityOf(request), reason);
    const outcome = await this.#activity.record(
      by,
      act,
      { ids: [id], ...target },
      () => run([id], actedBy(by)),
      (answer) => answer,
    );
    const after = await this.#store.job(id);
    if (outcome.done === 0) throw after === undefined ? noSuchJob() : stateRefuses(act, after.state);
    this.#reply.json<JobActAnswer>(response, after === undefined ? {} : { job: this.#redaction.row(rowOf(after)) });
  }

  async #known(request: AdminRequest) {
    const job = await this.#store.job(String(request.params.id));
    if (job === undefined) throw noSuchJob();
    refuseOwnQueue(job.queue, 'id');
    return job;
  }
}

function stateRefuses(act: Act, state: string): Refusal {
  if (act === 'transfer' && LIFECYCLE[state as JobState].transfer !== 'refused') {
    return new Refusal(409, 'JOB_STATE', 'The job is in that queue already. Nothing was changed.');
  }
  return new Refusal(409, 'JOB_STATE', `The job is ${state}, which does not allow ${act}. Nothing was changed.`);
}

/** What a list shows: no payload, result or stack. */
function rowOf(job: JobRow & object): JobRow {
  const { id, queue, name, state, priority, attempts, maxAttempts, enqueuedAtMs, runAtMs, updatedAtMs } = job;
  const { payloadBytes, expiresAtMs, keptUntilMs, lease, lastError } = job;
  return {
    ...{ id, queue, name, state, priority, attempts, maxAttempts, enqueuedAtMs, runAtMs, updatedAtMs, payloadBytes },
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    ...(keptUntilMs === undefined ? {} : { keptUntilMs }),
    ...(lease === undefined ? {} : { lease }),
    ...(lastError === undefined ? {} : { lastError }),
  };
}
