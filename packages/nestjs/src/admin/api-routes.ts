import type { AdminRole } from '@holdfast/contract';
import type { z } from 'zod';
import {
  BULK_OPERATION_BODY,
  BULK_PLAN_BODY,
  CLONE_BODY,
  DEAD_GROUPS_QUERY,
  JOB_ACT_BODY,
  JOBS_QUERY,
  LATENCY_QUERY,
  PAGE_QUERY,
  QUEUE_PAUSE_BODY,
  QUEUE_RESUME_BODY,
  REDRIVES_BODY,
  REPRIORITISE_BODY,
  TRANSFER_BODY,
} from './request-schema.js';

/** One route of the API. The schemas are the ones that its controller checks with. */
export interface ApiRoute {
  readonly method: 'get' | 'post';
  /** With `:name` for a parameter, as Nest writes it. */
  readonly path: string;
  readonly role: AdminRole;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Name of the answer's type in `@holdfast/contract`; absent where it is no JSON. */
  readonly answer?: string;
  readonly status?: number;
}

const act = (name: string, role: AdminRole, body: z.ZodType = JOB_ACT_BODY, answer = 'JobActAnswer'): ApiRoute => ({
  method: 'post',
  path: `jobs/:id/acts/${name}`,
  role,
  summary: `${name} of one job`,
  body,
  answer,
});

const wish = (name: string): ApiRoute => ({
  method: 'post',
  path: `bulk/operations/:id/${name}`,
  role: 'operator',
  summary: `${name} of a bulk operation`,
  answer: 'BulkOperationAnswer',
});

const look = (path: string, summary: string, answer: string, query?: z.ZodObject): ApiRoute => ({
  method: 'get',
  path,
  role: 'viewer',
  summary,
  answer,
  ...(query === undefined ? {} : { query }),
});

/** All routes under `api/v1`, from which the OpenAPI document is made. */
export const API_ROUTES: readonly ApiRoute[] = [
  look('meta', 'Who is looking, and at what', 'MetaAnswer'),
  look('overview', 'All queues with counts and rates', 'OverviewAnswer'),
  look('jobs', 'Jobs by filter, newest first', 'JobsAnswer', JOBS_QUERY),
  look('jobs/:id', 'One job, and why it is not running', 'JobAnswer'),
  { method: 'get', path: 'jobs/:id/payload', role: 'viewer', summary: 'The whole payload, as a file' },
  { method: 'get', path: 'jobs/:id/result', role: 'viewer', summary: 'The whole result, as a file' },
  look('dead/groups', 'Dead jobs by what killed them', 'DeadGroupsAnswer', DEAD_GROUPS_QUERY),
  look('attention', 'What somebody should look at, the worst first', 'AttentionAnswer'),
  look('leases', 'Live leases and the last that expired', 'LeasesAnswer'),
  look('workers', 'Who claims jobs', 'WorkersAnswer'),
  look('storage', 'What the bytes are kept in', 'StorageAnswer'),
  look('latency', 'One measure as histograms', 'LatencyAnswer', LATENCY_QUERY),
  look('activity', 'What operators did, newest first', 'ActivityAnswer', PAGE_QUERY),
  { method: 'get', path: 'events', role: 'viewer', summary: 'Server-sent events' },
  look('openapi.json', 'This document', 'object'),
  {
    method: 'post',
    path: 'redrives',
    role: 'operator',
    summary: 'Redrives dead jobs',
    body: REDRIVES_BODY,
    answer: 'RedrivesAnswer',
  },
  act('redrive', 'operator'),
  act('runNow', 'operator'),
  act('cancel', 'operator'),
  act('remove', 'admin'),
  act('reprioritise', 'operator', REPRIORITISE_BODY),
  act('transfer', 'operator', TRANSFER_BODY),
  act('clone', 'admin', CLONE_BODY, 'CloneAnswer'),
  {
    method: 'post',
    path: 'queues/pause',
    role: 'operator',
    summary: 'Pauses a queue',
    body: QUEUE_PAUSE_BODY,
    answer: 'QueuePauseAnswer',
  },
  {
    method: 'post',
    path: 'queues/resume',
    role: 'operator',
    summary: 'Resumes a queue',
    body: QUEUE_RESUME_BODY,
    answer: 'QueueResumeAnswer',
  },
  {
    method: 'post',
    path: 'bulk/plans',
    role: 'viewer',
    summary: 'Counts what a bulk act would meet; changes nothing',
    body: BULK_PLAN_BODY,
    answer: 'BulkPlanAnswer',
  },
  {
    method: 'post',
    path: 'bulk/operations',
    role: 'operator',
    summary: 'Starts a bulk act as planned; remove needs the role admin',
    body: BULK_OPERATION_BODY,
    answer: 'BulkOperationAnswer',
    status: 202,
  },
  look('bulk/operations', 'The last bulk operations', 'BulkOperationsAnswer'),
  look('bulk/operations/:id', 'One bulk operation', 'BulkOperationAnswer'),
  wish('pause'),
  wish('resume'),
  wish('abort'),
];
