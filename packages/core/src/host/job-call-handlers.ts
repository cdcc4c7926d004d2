import type { JobDetail, Payload } from '@holdfast/contract';
import type { Done, JobShape } from '../engine/engine-calls.js';
import type { LogEngine } from '../engine/log-engine.js';
import { writeClaimed } from '../protocol/claimed-batch.js';
import { withKnownShapes, writeEnqueued } from '../protocol/enqueue-batch.js';
import type { JobCalls } from '../protocol/job-calls.js';
import { buffersOf } from '../protocol/payload-column.js';
import { packQueues } from '../protocol/queues-part.js';
import {
  readAckBatch,
  readExtendBatch,
  readFailBatch,
  readNoteBatch,
  readReleaseBatch,
  writeSettled,
} from '../protocol/settle-batch.js';
import { ShapeInterner } from '../protocol/shape-column.js';
import type { CallHandlers, Reply } from './port-server.js';

/** The part of an engine that is reached through a port. */
export type HostedEngine = Pick<LogEngine, keyof LogEngine>;

type JobCallHandlers = CallHandlers<JobCalls>;

/** What the host adds to the engine's own answers. */
export interface HostFacts {
  monotonicMs(): number;
  applicationStallMsMax(): number;
  close(reply: Reply<undefined>): void;
}

/** Each call of JobCalls, given to the engine. */
export function jobCallHandlers(engine: HostedEngine, facts: HostFacts): JobCallHandlers {
  return { ...enqueueAndClaim(engine, facts), ...settle(engine), ...lookAndMend(engine, facts) };
}

function enqueueAndClaim(engine: HostedEngine, facts: HostFacts): Pick<JobCallHandlers, 'enqueue' | 'claim'> {
  const shapes = new ShapeInterner();
  const intern = (shape: JobShape) =>
    shapes.intern(shape.queue, shape.name, shape.priority, shape.maxAttempts, shape.backoff, () => shape);
  return {
    enqueue(batch, reply) {
      engine.enqueue(withKnownShapes(batch, intern), translated(reply, writeEnqueued), batch.request);
      return undefined;
    },
    claim(request, reply) {
      const claim = engine.claim(request, (error, jobs) => {
        if (jobs === undefined) return reply(error);
        const batch = writeClaimed(jobs, facts.monotonicMs());
        reply(undefined, batch, buffersOf(batch?.payloads));
      });
      return () => claim.cancel();
    },
  };
}

type SettleName = 'ack' | 'fail' | 'release' | 'extend' | 'note';

function settle(engine: HostedEngine): Pick<JobCallHandlers, SettleName> {
  return {
    ack(batch, reply) {
      engine.ack(readAckBatch(batch), translated(reply, writeSettled));
      return undefined;
    },
    fail(batch, reply) {
      engine.fail(readFailBatch(batch), translated(reply, writeSettled));
      return undefined;
    },
    release(batch, reply) {
      engine.release(readReleaseBatch(batch), translated(reply, writeSettled));
      return undefined;
    },
    extend(batch, reply) {
      engine.extend(readExtendBatch(batch), translated(reply, writeSettled));
      return undefined;
    },
    note(batch, reply) {
      engine.note(readNoteBatch(batch), translated(reply, writeSettled));
      return undefined;
    },
  };
}

function lookAndMend(engine: HostedEngine, facts: HostFacts): Omit<JobCallHandlers, 'enqueue' | 'claim' | SettleName> {
  return {
    act({ act, selection, by }, reply) {
      engine.act(act, selection, by, reply);
      return undefined;
    },
    clone(clone, reply) {
      engine.clone(clone, reply);
      return undefined;
    },
    pause(pause, reply) {
      engine.pause(pause, reply);
      return undefined;
    },
    resume(resume, reply) {
      engine.resume(resume, reply);
      return undefined;
    },
    queues: question(({ after, limit }) => packQueues(engine.queues(after, limit))),
    namedQueues: question(({ names }) => packQueues(engine.namedQueues(names))),
    job: question(({ id }) => withOwnBuffers(engine.job(id))),
    browse: question(({ filter, page }) => engine.browse(filter, page)),
    plan: question((plan) => engine.plan(plan)),
    deadGroups: question(({ filter, page }) => engine.deadGroups(filter, page)),
    workers: question(() => engine.workers()),
    leases: question(({ limit }) => engine.leases(limit)),
    leaseExpiries: question(() => engine.leaseExpiries()),
    metrics: question(() => ({ ...engine.metrics(), applicationStallMsMax: facts.applicationStallMsMax() })),
    histograms: question((request) => engine.histograms(request)),
    storage: question(() => engine.storage()),
    events(request, reply) {
      const pull = engine.events(request, reply);
      return () => pull.cancel();
    },
    snapshot({ directory }, reply) {
      engine.snapshot(directory, reply);
      return undefined;
    },
    close(_args, reply) {
      facts.close(reply);
      return undefined;
    },
  };
}

function translated<From, To>(reply: Reply<To>, translate: (answer: From) => To): Done<From> {
  return (error, answer) => {
    if (answer === undefined) reply(error);
    else reply(undefined, translate(answer));
  };
}

/** A question changes nothing, so whatever goes wrong in it concerns only its asker. */
function question<Args, Value>(ask: (args: Args) => Value): (args: Args, reply: Reply<Value>) => undefined {
  return (args, reply) => {
    try {
      reply(undefined, ask(args));
    } catch (error) {
      reply(error);
    }
  };
}

/** A view into a large buffer would take all of that buffer to the other thread. */
function withOwnBuffers(job: JobDetail | undefined): JobDetail | undefined {
  if (job === undefined) return undefined;
  const result = job.result === undefined ? {} : { result: owned(job.result) };
  return { ...job, payload: owned(job.payload), ...result };
}

function owned(payload: Payload): Payload {
  return typeof payload === 'string' ? payload : Uint8Array.from(payload);
}
