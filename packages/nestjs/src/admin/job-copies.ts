import { randomUUID } from 'node:crypto';
import type { JobId, JobStore } from '@holdfast/contract';
import { Inject, Injectable } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { actedBy } from './acting-person.js';
import { type ActingPerson, ActivityLog, type KeptEntry } from './activity-log.js';
import { Refusal } from './refusal.js';
import { requestKey } from './request-key.js';

export interface CopyRequest {
  readonly id: JobId;
  /** Without it, that of the job. */
  readonly payload?: string;
  readonly requestId?: string;
}

/**
 * Copies jobs, one copy for each request. A store copies whenever it is asked; so the entry of the audit, which has a key of the request, says
 * what came of it before.
 */
@Injectable()
export class JobCopies {
  readonly #store: JobStore;
  readonly #activity: ActivityLog;
  /** Who asks again while this server is at it waits for the same answer. */
  readonly #underWay = new Map<string, Promise<JobId | undefined>>();

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, activity: ActivityLog) {
    this.#store = store;
    this.#activity = activity;
  }

  /** @returns the id of the copy; `undefined` where the store does not know the job */
  copy(request: CopyRequest, by: ActingPerson): Promise<JobId | undefined> {
    const key = keyOf(request, by);
    const underWay = this.#underWay.get(key) ?? this.#copy(request, by, key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, underWay);
    return underWay;
  }

  async #copy({ id, payload }: CopyRequest, by: ActingPerson, key: string): Promise<JobId | undefined> {
    const { begun, before } = await this.#activity.beginOnce(by, 'clone', { ids: [id] }, key);
    if (before?.cloned !== undefined) return before.cloned;
    if (before !== undefined && mayHaveCopied(before)) throw unfinished();
    const changes = payload === undefined ? {} : { payload };
    const copy = await this.#activity.carryOut(
      begun,
      () => this.#store.clone(id, actedBy(by), changes),
      (made) => (made === undefined ? {} : { cloned: made.id }),
    );
    return copy?.id;
  }
}

/** Another payload or reason is another request, so that what was typed anew after an error is not taken for what was typed before. */
function keyOf({ id, payload, requestId }: CopyRequest, { actor, reason }: ActingPerson): string {
  const asked = JSON.stringify({ id, payload, reason });
  return requestId === undefined ? randomUUID() : requestKey(actor, requestId, 'clone', asked);
}

function mayHaveCopied({ status, uncertain }: KeptEntry): boolean {
  return status === 'begun' || uncertain === true;
}

function unfinished(): Refusal {
  const detail =
    'This request was begun before, and nobody noted how it ended: another server is still at it, or lost the store before it could say. ' +
    'Look among the newest jobs of the queue whether the copy is there; if not, ask with a new request id. Nothing was changed now.';
  return new Refusal(409, 'REQUEST_UNFINISHED', detail, 'requestId');
}
