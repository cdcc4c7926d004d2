import type { Workload } from './workload.js';
import { drain } from './workloads/drain.js';
import { enqueueInBulk, enqueueInFlight, enqueueInTurn } from './workloads/enqueue.js';
import { idle } from './workloads/idle.js';
import { lightLoad } from './workloads/light-load.js';
import { mix } from './workloads/mix.js';
import { waitingJobs } from './workloads/waiting-jobs.js';

export const WORKLOADS: readonly Workload[] = [
  enqueueInTurn,
  enqueueInFlight,
  enqueueInBulk,
  drain,
  lightLoad,
  waitingJobs,
  idle,
  mix,
];
