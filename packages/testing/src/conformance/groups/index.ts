import type { Rules } from '../rules.js';
import { actingRules } from './acting.js';
import { browsingRules } from './browsing.js';
import { claimRules } from './claim.js';
import { closingRules } from './closing.js';
import { deadGroupRules } from './dead-groups.js';
import { dedupeRules } from './dedupe.js';
import { enqueueRules } from './enqueue.js';
import { eventRules } from './events.js';
import { expiryRules } from './expiry.js';
import { failingRules } from './failing.js';
import { headerRules } from './headers.js';
import { hostileValueRules } from './hostile-values.js';
import { jobExpiryRules } from './job-expiry.js';
import { leaseRules } from './leases.js';
import { notingRules } from './noting.js';
import { orderRules } from './order.js';
import { pausingRules } from './pausing.js';
import { planningRules } from './planning.js';
import { racingRules } from './racing.js';
import { readingRules } from './reading.js';
import { redrivingRules } from './redriving.js';
import { releasingRules } from './releasing.js';
import { reopeningRules } from './reopening.js';
import { requestRules } from './requests.js';
import { retentionRules } from './retention.js';
import { searchingRules } from './searching.js';
import { settlingRules } from './settling.js';
import { transferringRules } from './transferring.js';
import { validationRules } from './validation.js';
import { waitingRules } from './waiting.js';

/** All groups of rules, in the order in which somebody who writes a store meets them. */
export const groups: Readonly<Record<string, Rules>> = {
  enqueue: enqueueRules,
  dedupe: dedupeRules,
  'a repeated enqueue': requestRules,
  'what is refused': validationRules,
  claim: claimRules,
  'the order of jobs': orderRules,
  'a claim that waits': waitingRules,
  leases: leaseRules,
  'settling a lease': settlingRules,
  notes: notingRules,
  'a job that fails': failingRules,
  release: releasingRules,
  'a lease that runs out': expiryRules,
  redrive: redrivingRules,
  'acts of operators': actingRules,
  'to another queue': transferringRules,
  'a paused queue': pausingRules,
  'a job too old to start': jobExpiryRules,
  'headers and timeout': headerRules,
  retention: retentionRules,
  events: eventRules,
  browse: browsingRules,
  search: searchingRules,
  'dead jobs by what killed them': deadGroupRules,
  'planned acts': planningRules,
  'what is read': readingRules,
  'hostile values': hostileValueRules,
  'many at once': racingRules,
  close: closingRules,
  reopen: reopeningRules,
};
