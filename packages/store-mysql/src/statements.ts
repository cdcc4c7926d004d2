import type { StatementName } from '@holdfast/sql-store';
import * as acts from './steps/act-on-jobs.js';
import { claim } from './steps/claim-jobs.js';
import * as deadGroups from './steps/dead-groups.js';
import * as enqueue from './steps/enqueue-jobs.js';
import * as events from './steps/events.js';
import * as keys from './steps/keys-and-requests.js';
import * as notes from './steps/note-attempts.js';
import * as plans from './steps/plans.js';
import * as jobs from './steps/read-jobs.js';
import * as queues from './steps/read-queues.js';
import * as session from './steps/session.js';
import * as settle from './steps/settle-leases.js';
import type { Step } from './steps/step.js';
import * as sweep from './steps/sweep.js';
import * as workers from './steps/workers.js';

/** How the store does what it is asked for. */
export const STEPS: { readonly [Name in StatementName]: Step<Name> } = {
  enqueue: enqueue.enqueue,
  enqueueKeyed: enqueue.enqueueKeyed,
  replace: enqueue.replace,
  clone: enqueue.clone,
  lockNames: keys.lockNames,
  keyHolders: keys.keyHolders,
  keyWindows: keys.keyWindows,
  findRequest: keys.findRequest,
  keepRequest: keys.keepRequest,
  claim,
  ack: settle.ack,
  fail: settle.fail,
  release: settle.release,
  extend: settle.extend,
  locate: settle.locate,
  notedLeases: notes.notedLeases,
  keepNotes: notes.keepNotes,
  cancel: acts.cancel,
  redrive: acts.redrive,
  runNow: acts.runNow,
  reprioritise: acts.reprioritise,
  transfer: acts.transfer,
  remove: acts.remove,
  forget: acts.forget,
  expireJobs: acts.expireJobs,
  snapshot: plans.snapshot,
  hasBeen: plans.hasBeen,
  plannedCounts: plans.plannedCounts,
  deaths: deadGroups.deaths,
  deathSamples: deadGroups.deathSamples,
  forgetDeaths: deadGroups.forgetDeaths,
  tellWorkers: workers.tellWorkers,
  crews: workers.crews,
  busyWorkers: workers.busyWorkers,
  detail: jobs.detail,
  page: jobs.page,
  count: jobs.count,
  countByQueue: jobs.countByQueue,
  numbers: jobs.numbers,
  leases: jobs.leases,
  leaseExpiries: jobs.leaseExpiries,
  queues: queues.queues,
  totals: queues.totals,
  fold: queues.fold,
  catchUp: plans.catchUp,
  forgetThroughput: queues.forgetThroughput,
  queueIds: queues.queueIds,
  addQueues: queues.addQueues,
  pause: queues.pause,
  resume: queues.resume,
  look: sweep.look,
  promote: sweep.promote,
  overdueLeases: sweep.overdueLeases,
  endedHeads: sweep.endedHeads,
  beyondCount: sweep.beyondCount,
  beyondAge: sweep.beyondAge,
  beyondBytes: sweep.beyondBytes,
  forgetEvents: sweep.forgetEvents,
  forgetLeaseExpiries: sweep.forgetLeaseExpiries,
  forgetRequests: keys.forgetRequests,
  forgetWindows: keys.forgetWindows,
  nextProcess: session.nextProcess,
  meta: session.meta,
  time: session.time,
  storage: session.storage,
  listenOn: events.listenOn,
  lastEvent: events.lastEvent,
  events: events.events,
};
