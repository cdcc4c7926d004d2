import type { JobAnswer, JobDetail, JobStore, JobsAnswer } from '@holdfast/contract';
import { Get, Inject, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ApiController } from './admin-controller.decorator.js';
import { ADMIN_OPTIONS, type HoldfastAdminOptions } from './admin-options.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { payloadText } from './payload-text.js';
import { Refusal } from './refusal.js';
import { JOBS_QUERY, validate } from './request-schema.js';

const PAGE_ROWS_DEFAULT = 50;

@ApiController('jobs')
export class JobsController {
  readonly #store: JobStore;
  readonly #reply: AdminReply;
  readonly #options: HoldfastAdminOptions;

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    reply: AdminReply,
    @Inject(ADMIN_OPTIONS) options: HoldfastAdminOptions,
  ) {
    this.#store = store;
    this.#reply = reply;
    this.#options = options;
  }

  @Get()
  async list(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { limit = PAGE_ROWS_DEFAULT, cursor, ...filter } = validate(JOBS_QUERY, request.query, 'query');
    const page = await this.#store.browse(filter, cursor === undefined ? { limit } : { limit, cursor });
    this.#reply.json<JobsAnswer>(response, page);
  }

  @Get(':id')
  async show(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const job = await this.#store.job(String(request.params.id));
    if (job === undefined) {
      throw new Refusal(404, 'JOB_NOT_FOUND', 'The store does not know this job, or does not keep it any more.');
    }
    const { redact } = this.#options;
    this.#reply.json<JobAnswer>(response, { job: shown(redact === undefined ? job : redact(job)) });
  }
}

function shown(job: JobDetail): JobAnswer['job'] {
  const { payload, result, ...rest } = job;
  return { ...rest, payload: payloadText(payload), ...(result === undefined ? {} : { result: payloadText(result) }) };
}
