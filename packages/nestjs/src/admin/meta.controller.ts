import type { MetaAnswer } from '@holdfast/contract';
import { Get, Inject, Req, Res } from '@nestjs/common';
import { AdminAccess } from './admin-access.js';
import { ApiController } from './admin-controller.decorator.js';
import { ADMIN_OPTIONS, type HoldfastAdminOptions } from './admin-options.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { PACKAGE_VERSION } from './package-version.js';

/** Who is looking, and at what. Never asks the store. */
@ApiController('meta')
export class MetaController {
  readonly #access: AdminAccess;
  readonly #reply: AdminReply;
  readonly #options: HoldfastAdminOptions;

  constructor(access: AdminAccess, reply: AdminReply, @Inject(ADMIN_OPTIONS) options: HoldfastAdminOptions) {
    this.#access = access;
    this.#reply = reply;
    this.#options = options;
  }

  @Get()
  show(@Req() request: AdminRequest, @Res() response: unknown): void {
    const { environment } = this.#options;
    this.#reply.json<MetaAnswer>(response, {
      version: PACKAGE_VERSION,
      ...this.#access.identityOf(request),
      ...(environment === undefined ? {} : { environment }),
    });
  }
}
