import { randomUUID } from 'node:crypto';
import type {
  AdminRole,
  BulkOperationAnswer,
  BulkOperationsAnswer,
  BulkPlanAnswer,
  Clock,
  JobStore,
} from '@holdfast/contract';
import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { actingPerson } from './acting-person.js';
import { NeedsRole } from './admin-access.guard.js';
import { AdminAccess } from './admin-access.js';
import { ADMIN_CLOCK } from './admin-clock.js';
import { ApiController } from './admin-controller.decorator.js';
import { ADMIN_OPTIONS, type HoldfastAdminOptions, undoWindowMs } from './admin-options.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { BulkOperations, noSuchOperation, roleFor, shown, type Wish } from './bulk-operations.js';
import { filterOf, makePlan, planId, planOf } from './bulk-plan.js';
import { BulkRunner } from './bulk-runner.js';
import { refuseOwnQueues } from './own-queues.js';
import { Redaction, refuseHidden } from './redaction.js';
import { Refusal } from './refusal.js';
import { BULK_OPERATION_BODY, BULK_PLAN_BODY, validate } from './request-schema.js';

const RATE_DEFAULT = 50;

/** Acts on many jobs: first a plan with the exact number, then an operation that the server works off. */
@ApiController('bulk')
export class BulkController {
  readonly #store: JobStore;
  readonly #access: AdminAccess;
  readonly #operations: BulkOperations;
  readonly #runner: BulkRunner;
  readonly #reply: AdminReply;
  readonly #redaction: Redaction;
  readonly #options: HoldfastAdminOptions;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    access: AdminAccess,
    operations: BulkOperations,
    runner: BulkRunner,
    reply: AdminReply,
    redaction: Redaction,
    @Inject(ADMIN_OPTIONS) options: HoldfastAdminOptions,
    @Inject(ADMIN_CLOCK) clock: Pick<Clock, 'now'>,
  ) {
    this.#store = store;
    this.#access = access;
    this.#operations = operations;
    this.#runner = runner;
    this.#reply = reply;
    this.#redaction = redaction;
    this.#options = options;
    this.#clock = clock;
  }

  @Post('plans')
  async plan(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const target = validate(BULK_PLAN_BODY, request.body, 'body');
    const path = filterOf(target)?.payload?.path;
    if (path !== undefined) refuseHidden(this.#redaction, path, 'selection.filter.payload.path');
    await refuseOwnQueues(this.#store, target);
    const nowMs = this.#clock.now();
    const { plan, selection, eligible, ineligible } = await makePlan(this.#store, target, nowMs);
    const { asOf: _asOf, ...counts } = selection;
    const { expiresAtMs } = plan;
    const answer = { ...counts, eligible, ineligible, asOfMs: nowMs, expiresAtMs };
    this.#reply.json<BulkPlanAnswer>(response, { planId: planId(plan), plan: answer });
  }

  @Post('operations')
  @NeedsRole('operator')
  async create(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const body = validate(BULK_OPERATION_BODY, request.body, 'body');
    const { planId: id, ratePerSecond = RATE_DEFAULT, reason, requestId = randomUUID() } = body;
    const plan = planOf(id, this.#clock.now());
    const by = actingPerson(this.#access.identityOf(request), reason);
    const removes = plan.target.act.kind === 'remove';
    this.#needRole(by.role, roleFor(plan.target.act.kind));
    if (plan.planned === 0) throw new Refusal(422, 'INVALID_REQUEST', 'The plan holds no job. Nothing was changed.');
    if (removes && by.reason === undefined) {
      throw new Refusal(400, 'INVALID_REQUEST', 'reason must be given for a removal. Nothing was changed.', 'reason');
    }
    await refuseOwnQueues(this.#store, plan.target);
    const waitMs = removes ? undoWindowMs(this.#options) : 0;
    const operation = await this.#operations.create(plan, by, { ratePerSecond, waitMs, requestId });
    this.#runner.wake();
    this.#reply.json<BulkOperationAnswer>(response, { operation }, 202);
  }

  @Get('operations')
  async list(@Res() response: unknown): Promise<void> {
    await this.#runner.wakeIfNeeded();
    this.#reply.json<BulkOperationsAnswer>(response, { operations: await this.#operations.list() });
  }

  @Get('operations/:id')
  async show(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const known = await this.#operations.find(String(request.params.id));
    if (known === undefined) throw noSuchOperation();
    this.#reply.json<BulkOperationAnswer>(response, { operation: shown(known) });
  }

  @Post('operations/:id/pause')
  @NeedsRole('operator')
  pause(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    return this.#wish(request, response, 'pause');
  }

  @Post('operations/:id/resume')
  @NeedsRole('operator')
  resume(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    return this.#wish(request, response, 'run');
  }

  @Post('operations/:id/abort')
  @NeedsRole('operator')
  abort(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    return this.#wish(request, response, 'abort');
  }

  async #wish(request: AdminRequest, response: unknown, wish: Wish): Promise<void> {
    const operation = await this.#operations.wish(String(request.params.id), wish);
    this.#runner.wake();
    this.#reply.json<BulkOperationAnswer>(response, { operation });
  }

  #needRole(role: AdminRole, needed: AdminRole): void {
    if (needed !== 'admin' || role === 'admin') return;
    throw new Refusal(403, 'ROLE_TOO_LOW', `This needs the role ${needed}; you have the role ${role}.`);
  }
}
