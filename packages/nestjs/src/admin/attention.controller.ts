import type { AttentionAnswer, AttentionItem, Clock, JobStore } from '@holdfast/contract';
import { Get, Inject, Res } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ADMIN_CLOCK } from './admin-clock.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import { attentionOf, NEW_MS } from './attention.js';
import { QueueLooks } from './queue-looks.js';
import { Redaction } from './redaction.js';
import { shownWorkers } from './shown-queues.js';

/** Longer than the events are apart: while anybody listens to them, this needs no look of its own. What it tells is about minutes. */
const LOOK_SHARED_MS = 1500;
/** More of one kind is more than anybody reads, and would hide the other kinds; `total` counts the rest. */
const OF_A_KIND_MAX = 50;

/** What somebody should look at, in one answer: for the overview, and for scripts that alarm people. */
@ApiController('attention')
export class AttentionController {
  readonly #store: JobStore;
  readonly #looks: QueueLooks;
  readonly #redaction: Redaction;
  readonly #reply: AdminReply;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    looks: QueueLooks,
    redaction: Redaction,
    reply: AdminReply,
    @Inject(ADMIN_CLOCK) clock: Pick<Clock, 'now'>,
  ) {
    this.#store = store;
    this.#looks = looks;
    this.#redaction = redaction;
    this.#reply = reply;
    this.#clock = clock;
  }

  @Get()
  async list(@Res() response: unknown): Promise<void> {
    const store = this.#store;
    const nowMs = this.#clock.now();
    const [{ shown }, expiries, workers = [], errors] = await Promise.all([
      this.#looks.shared(LOOK_SHARED_MS),
      store.leaseExpiries(),
      store.workers?.(),
      store.deadGroups?.({ firstDeadFromMs: Math.max(0, nowMs - NEW_MS) }, { limit: OF_A_KIND_MAX }),
    ]);
    const groups = errors?.groups.map((group) => this.#redaction.group(group)) ?? [];
    const notShown = (errors?.total.value ?? 0) - groups.length;
    const facts = {
      nowMs,
      health: store.health(),
      queues: shown.queues,
      expiries,
      workers: shownWorkers(workers),
      groups,
    };
    const items = attentionOf(facts);
    const total = items.length + notShown;
    this.#reply.json<AttentionAnswer>(response, { items: firstOfEachKind(items), total });
  }
}

function firstOfEachKind(items: readonly AttentionItem[]): AttentionItem[] {
  const taken = new Map<AttentionItem['kind'], number>();
  return items.filter(({ kind }) => {
    const nth = (taken.get(kind) ?? 0) + 1;
    taken.set(kind, nth);
    return nth <= OF_A_KIND_MAX;
  });
}
