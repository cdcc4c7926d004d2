import type { MovedKey, MovedQueue, MovedRequest, StoreContents, WholeJob } from '@holdfast/contract/moving';
import { DEFAULT_RETENTION } from '@holdfast/contract/rules';
import {
  actBytes,
  encodeForgotten,
  encodeMove,
  encodePause,
  encodeRequests,
  encodeWindows,
  forgottenBodyBytes,
  JobTable,
  moveBodyBytes,
  OUTCOMES,
  parseId,
  pauseBodyBytes,
  RECORD,
  type Request,
  requestsBodyBytes,
  stateNumber,
  storeTag,
  windowsBodyBytes,
} from '@holdfast/core/records';
import type { RecordSink } from '../repair/record-sink.js';
import { jobMove } from './job-move.js';

const KEYS_A_RECORD = 500;

/** Writes all that a store holds as the records that a compaction would leave of it. */
export async function writeLog(contents: StoreContents, sink: RecordSink): Promise<void> {
  for (const queue of await contents.queues()) writeQueue(queue, sink);
  // Holds no job: only what jobs of one kind share.
  const { shapes } = new JobTable(DEFAULT_RETENTION);
  const windows: MovedKey[] = [];
  for await (const jobs of contents.jobs()) {
    for (const job of jobs) {
      const move = jobMove(job, shapes);
      encodeMove(sink.reserve(RECORD.move, moveBodyBytes(move), 0), move);
      windows.push(...windowOf(job));
    }
    sink.endFrame();
  }
  writeKeys(windows, sink);
  await writeRemembered(contents, sink);
  sink.endFrame();
}

/** Said once more when all jobs are there: a live job that takes the same key, and is younger, makes a reader forget it. */
function windowOf({ state, queue, number, dedupe }: WholeJob): MovedKey[] {
  if (state !== 'completed' || dedupe?.takenUntilMs === undefined) return [];
  return [{ queue, key: dedupe.key, number, untilMs: dedupe.takenUntilMs }];
}

function writeKeys(keys: readonly MovedKey[], sink: RecordSink): void {
  for (let from = 0; from < keys.length; from += KEYS_A_RECORD) {
    const some = keys.slice(from, from + KEYS_A_RECORD);
    const windows = some.map(({ queue, key, number, untilMs }) => ({ queue, key, id: number, untilMs }));
    encodeWindows(sink.reserve(RECORD.remembered, windowsBodyBytes(windows), 0), windows);
  }
}

/** That nothing of a queue is forgotten says that there is one. */
function writeQueue({ name, pause }: MovedQueue, sink: RecordSink): void {
  const queue = Buffer.from(name, 'utf8');
  const nothing = { completedBelow: 0, cancelledBelow: 0 };
  encodeForgotten(sink.reserve(RECORD.forgotten, forgottenBodyBytes(queue), 0), nothing, queue);
  if (pause === undefined) return;
  const act = actBytes(pause.actor, pause.reason);
  const { sinceMs, untilMs = 0 } = pause;
  encodePause(
    sink.reserve(RECORD.pause, pauseBodyBytes(queue, act), 0),
    { atMs: sinceMs, sinceMs, untilMs },
    queue,
    act,
  );
}

async function writeRemembered(contents: StoreContents, sink: RecordSink): Promise<void> {
  for await (const keys of contents.keys()) writeKeys(keys, sink);
  const tag = storeTag(Buffer.from(contents.identity.storeId, 'hex'));
  let order = 0;
  for await (const moved of contents.requests()) {
    for (const request of moved) {
      const alone = [requestOf(request, tag, ++order)];
      encodeRequests(sink.reserve(RECORD.remembered, requestsBodyBytes(alone), 0), alone);
    }
  }
}

function requestOf({ id, fingerprint, atMs, answers }: MovedRequest, tag: string, order: number): Request {
  const each = {
    ids: Float64Array.from(answers, (answer) => parseId(tag, answer.id) ?? 0),
    states: Uint8Array.from(answers, ({ state }) => stateNumber(state)),
    outcomes: Uint8Array.from(answers, ({ outcome }) => OUTCOMES.indexOf(outcome)),
  };
  return { id, fingerprint, atMs, order, answer: { firstId: 0, scheduled: new Uint8Array(0), each } };
}
