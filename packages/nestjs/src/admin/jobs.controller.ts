import type {
  Clock,
  JobAnswer,
  JobDetail,
  JobFilter,
  JobStore,
  JobsAnswer,
  PageRequest,
  Payload,
} from '@holdfast/contract';
import { Get, Inject, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ADMIN_CLOCK } from './admin-clock.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { cancelledRunOf } from './cancelled-run.js';
import { payloadText } from './payload-text.js';
import { type RedactedJob, Redaction, refuseHidden } from './redaction.js';
import { noSuchJob, Refusal } from './refusal.js';
import { JOBS_QUERY, validate } from './request-schema.js';
import { whyFacts, whyOf } from './why.js';

const PAGE_ROWS_DEFAULT = 50;

@ApiController('jobs')
export class JobsController {
  readonly #store: JobStore;
  readonly #reply: AdminReply;
  readonly #redaction: Redaction;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    reply: AdminReply,
    redaction: Redaction,
    @Inject(ADMIN_CLOCK) clock: Pick<Clock, 'now'>,
  ) {
    this.#clock = clock;
    this.#store = store;
    this.#reply = reply;
    this.#redaction = redaction;
  }

  @Get()
  async list(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { filter, page } = this.#wanted(request.query);
    const found = await this.#store.browse(filter, page);
    this.#reply.json<JobsAnswer>(response, { ...found, rows: found.rows.map((row) => this.#redaction.row(row)) });
  }

  @Get(':id')
  async show(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const job = await this.#known(request);
    const redacted = this.#redaction.job(job);
    const why = whyOf(redacted.job, await whyFacts(this.#store, job, this.#clock.now()));
    const cancelledRun = cancelledRunOf(this.#store, job, this.#redaction);
    this.#reply.json<JobAnswer>(response, { job: shown(redacted), why, ...(cancelledRun && { cancelledRun }) });
  }

  @Get(':id/payload')
  async payload(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { job } = this.#redaction.job(await this.#known(request));
    this.#download(response, `${job.id}-payload`, job.payload);
  }

  @Get(':id/result')
  async result(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { job } = this.#redaction.job(await this.#known(request));
    if (job.result === undefined) throw new Refusal(404, 'NO_RESULT', 'The job has no result.');
    this.#download(response, `${job.id}-result`, job.result);
  }

  async #known(request: AdminRequest): Promise<JobDetail> {
    const job = await this.#store.job(String(request.params.id));
    if (job === undefined) throw noSuchJob();
    return job;
  }

  #download(response: unknown, name: string, payload: Payload): void {
    const isText = typeof payload === 'string';
    const file = `${name.replace(/[^\w.-]/g, '_')}.${isText ? 'txt' : 'bin'}`;
    this.#reply.download(response, file, Buffer.from(payload as string), isText);
  }

  #wanted(query: unknown): { filter: JobFilter; page: PageRequest } {
    const { limit = PAGE_ROWS_DEFAULT, cursor, scanMax, ...wanted } = validate(JOBS_QUERY, query, 'query');
    const { payloadPath, payloadValue, olderThanMs, ...filter } = wanted;
    if (payloadPath !== undefined) refuseHidden(this.#redaction, payloadPath, 'payloadPath');
    const olderMs = olderThanMs === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() - olderThanMs;
    const beforeMs = Math.min(filter.enqueuedBeforeMs ?? Number.POSITIVE_INFINITY, Math.max(0, olderMs));
    const payload =
      payloadPath === undefined || payloadValue === undefined
        ? {}
        : { payload: { path: payloadPath, value: payloadValue } };
    return {
      filter: { ...filter, ...payload, ...(Number.isFinite(beforeMs) ? { enqueuedBeforeMs: beforeMs } : {}) },
      page: {
        limit,
        ...(cursor === undefined ? {} : { cursor }),
        ...(scanMax === undefined ? {} : { scanMax }),
      },
    };
  }
}

function shown({ job, payloadRedacted, resultRedacted }: RedactedJob): JobAnswer['job'] {
  const { payload, result, ...rest } = job;
  const mark = (isRedacted: boolean) => (isRedacted ? { redacted: true } : {});
  return {
    ...rest,
    payload: { ...payloadText(payload), ...mark(payloadRedacted) },
    ...(result === undefined ? {} : { result: { ...payloadText(result), ...mark(resultRedacted) } }),
  };
}
