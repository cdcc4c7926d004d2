import type { HistogramName, JobStore, LatencyAnswer } from '@holdfast/contract';
import { Get, Inject, Req, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { unsupported } from './refusal.js';
import { LATENCY_QUERY, validate } from './request-schema.js';

@ApiController('latency')
export class LatencyController {
  readonly #store: JobStore;
  readonly #reply: AdminReply;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, reply: AdminReply) {
    this.#store = store;
    this.#reply = reply;
  }

  @Get()
  async show(@Req() request: AdminRequest, @Res() response: unknown): Promise<void> {
    const { measure, stepMs, fromMs } = validate(LATENCY_QUERY, request.query, 'query');
    if (this.#store.histograms === undefined) throw unsupported('histograms');
    const from = fromMs === undefined ? {} : { fromMs };
    const series = await this.#store.histograms({ name: measure, stepMs, ...from });
    this.#reply.json<LatencyAnswer>(response, { measure, unit: unitOf(measure), ...series });
  }
}

function unitOf(measure: HistogramName): LatencyAnswer['unit'] {
  if (measure === 'commitRecords') return 'records';
  return measure === 'commitBytes' ? 'bytes' : 'microseconds';
}
