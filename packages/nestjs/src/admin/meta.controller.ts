import type { JobStore, MetaAnswer } from '@holdfast/contract';
import { Get, Inject, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { AdminAccess } from './admin-access.js';
import { ApiController } from './admin-controller.decorator.js';
import { ADMIN_OPTIONS, type HoldfastAdminOptions, undoWindowMs } from './admin-options.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { PACKAGE_VERSION } from './package-version.js';

/** Who is looking, and at what. Never asks the store. */
@ApiController('meta')
export class MetaController {
  readonly #store: JobStore;
  readonly #access: AdminAccess;
  readonly #reply: AdminReply;
  readonly #options: HoldfastAdminOptions;

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    access: AdminAccess,
    reply: AdminReply,
    @Inject(ADMIN_OPTIONS) options: HoldfastAdminOptions,
  ) {
    this.#store = store;
    this.#access = access;
    this.#reply = reply;
    this.#options = options;
  }

  @Get()
  show(@Req() request: AdminRequest, @Res() response: unknown): void {
    const { environment, allowClone = false } = this.#options;
    const store = this.#store;
    const { readOnly } = store.capabilities;
    const has = (part: unknown) => part !== undefined;
    this.#reply.json<MetaAnswer>(response, {
      version: PACKAGE_VERSION,
      ...this.#access.identityOf(request),
      ...(environment === undefined ? {} : { environment }),
      features: {
        search: true,
        deadGroups: has(store.deadGroups),
        bulk: has(store.plan),
        activity: true,
        workers: has(store.workers),
        latency: has(store.histograms),
        events: true,
        clone: allowClone,
        transfer: has(store.transfer),
      },
      ...(readOnly === undefined ? {} : { readOnly }),
      undoWindowMs: undoWindowMs(this.#options),
    });
  }
}
