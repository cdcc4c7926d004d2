import type { Attempt, RetentionOptions } from '@holdfast/contract';
import { checkedRetention } from '@holdfast/contract/rules';
import { expect } from 'vitest';
import { parseToken } from '../../src/identity.js';
import { LIMITS } from '../../src/limits.js';
import { EngineRig, type RigOptions, SHAPE } from './engine-rig.js';
import { BACKOFF_MS, type NaiveAct, NaiveEngine, type NaiveJob, type NaiveTime, targetOf } from './naive-engine.js';
import type { Operation } from './operations.js';

const ENDED = { count: 3, ageMs: 4000 };
const RETENTION: RetentionOptions = {
  completed: ENDED,
  cancelled: ENDED,
  dead: { count: 4, ageMs: 6000 },
  queues: { b: { completed: { ageMs: null }, dead: { count: 2, ageMs: null } } },
};
const NO_PAUSE = { sinceMs: undefined, untilMs: undefined };

/** An engine and its model, led through the same life. Throws where they differ. */
export class EngineLife {
  readonly rig: EngineRig;
  readonly model = new NaiveEngine(checkedRetention(RETENTION));
  /** Every lease that was ever handed out. */
  readonly #handles: { readonly id: number; readonly token: number }[] = [];
  #lastToken = 0;
  #payloads = 0;

  movedJobs = 0;

  constructor(seed: number, sizes: RigOptions = { segmentBytes: 64 * 1024 }) {
    this.rig = new EngineRig({ seed, retention: RETENTION, ...sizes });
  }

  step(operation: Operation): void {
    this.#act(operation);
    this.compare();
    this.#compareDetails();
  }

  /** J7, J8: the states are those of the model, and the counters are a recount of them. */
  compare(): void {
    const rows = this.#rows();
    const modelled = this.model.jobs.map((job) => ({
      id: this.rig.text(job.id),
      state: job.state,
      attempts: job.attempts,
      priority: job.priority,
      runAtMs: job.runAtMs,
      expiresAtMs: job.expiresAtMs,
      token: job.state === 'leased' ? job.token : undefined,
    }));
    expect(rows).toEqual(modelled);
    const queues = this.rig.engine.queues();
    expect(this.rig.engine.namedQueues(['b', 'none'])).toEqual(queues.filter(({ name }) => name === 'b'));
    for (const { name, counts, retrying, paused } of queues) {
      const pause = this.model.pauses.get(name);
      const held = pause?.holds === true ? { sinceMs: pause.sinceMs, untilMs: pause.untilMs } : {};
      expect({ sinceMs: paused?.sinceMs, untilMs: paused?.untilMs }).toEqual({ ...NO_PAUSE, ...held });
      const jobs = this.model.jobs.filter(({ queue }) => queue === name);
      for (const [state, count] of Object.entries(counts)) {
        expect([name, state, count]).toEqual([name, state, jobs.filter((job) => job.state === state).length]);
      }
      expect(retrying).toBe(jobs.filter(({ state, attempts }) => state === 'scheduled' && attempts > 0).length);
    }
  }

  /** The live bytes of each segment are a recount of the records that hold the jobs, and these hold all that was noted. */
  #compareDetails(): void {
    const { engine } = this.rig;
    const { segments, compaction } = engine.storage();
    const counted = new Map(segments.map(({ file }) => [file, 0]));
    for (const { id, notes } of this.model.jobs) {
      const { record, attemptLog } = engine.job(this.rig.text(id))!;
      counted.set(record!.file, counted.get(record!.file)! + record!.bytes);
      expect(attemptLog.map(shownNotes)).toEqual(notes.shown());
    }
    expect(
      new Map(segments.map(({ file, liveBytes, rememberedBytes }) => [file, liveBytes! - rememberedBytes!])),
    ).toEqual(counted);
    this.movedJobs = Math.max(this.movedJobs, compaction!.movedJobs);
  }

  #rows() {
    const { rows } = this.rig.engine.browse({}, { limit: 200 });
    return rows.toReversed().map(({ id, state, attempts, priority, runAtMs, expiresAtMs = 0, lease }) => ({
      id,
      state,
      attempts,
      priority,
      runAtMs,
      expiresAtMs,
      token: lease === undefined ? undefined : parseToken(lease.token),
    }));
  }

  #act(operation: Operation): void {
    const { rig, model } = this;
    switch (operation.act) {
      case 'enqueue':
        this.#enqueue(operation.specs);
        break;
      case 'claim':
        this.#claim(operation);
        break;
      case 'ack': {
        const handles = operation.picks.map((pick) => this.#handle(pick));
        expect(rig.ack(...handles)).toEqual(model.ack(handles, this.#time));
        break;
      }
      case 'fail':
        this.#fail(operation.pick, operation.ending);
        break;
      case 'release': {
        const handle = this.#handle(operation.pick);
        const { delayMs } = operation;
        expect(rig.release({ ...handle, delayMs })).toEqual([
          model.release(handle.id, handle.token, delayMs, this.#time),
        ]);
        break;
      }
      case 'extend': {
        const handle = this.#handle(operation.pick);
        const { leaseMs } = operation;
        expect(rig.extend({ ...handle, leaseMs })).toEqual([
          model.extend(handle.id, handle.token, leaseMs, this.#time),
        ]);
        break;
      }
      case 'note': {
        const handle = this.#handle(operation.pick);
        const { progress, lines, droppedLines } = operation.told;
        const note = { progress, lines: lines.map((text) => ({ atMs: this.#time.wallMs, text })), droppedLines };
        expect(rig.note({ ...handle, note })).toEqual([model.note(handle.id, handle.token, operation.told)]);
        break;
      }
      case 'redrive':
        this.#redrive(operation.picks);
        break;
      case 'act':
        this.#operate(operation);
        break;
      case 'clone': {
        const job = model.jobs[operation.pick % Math.max(1, model.jobs.length)];
        if (job !== undefined) expect(rig.clone(job.id)).toBe(model.clone(job, this.#time));
        else expect(rig.clone(4711)).toBeUndefined();
        break;
      }
      case 'pause': {
        const { sinceMs, untilMs } = rig.pause(operation.queue, operation.forMs);
        expect({ sinceMs, untilMs, holds: true }).toEqual(model.pause(operation.queue, operation.forMs, this.#time));
        break;
      }
      case 'resume':
        expect(rig.resume(operation.queue)).toBe(model.resume(operation.queue));
        break;
      case 'advance':
        this.#advance(operation.ms);
        break;
      case 'setWall':
        rig.clock.setWall(operation.byMs);
        rig.settle();
        break;
      default:
        this.#reopen(operation.how);
    }
    model.due(this.#time);
  }

  get #time(): NaiveTime {
    return { wallMs: this.rig.clock.now(), monotonicMs: this.rig.clock.monotonicMs() };
  }

  #enqueue(specs: Extract<Operation, { act: 'enqueue' }>['specs']): void {
    const backoff = { kind: 'fixed' as const, baseMs: BACKOFF_MS, maxMs: BACKOFF_MS, jitter: 'none' as const };
    const named = specs.map((spec) => ({ ...spec, payload: `${spec.queue} ${++this.#payloads}` }));
    const answers = this.rig.tryEnqueue(
      ...named.map(({ delayMs, expiresInMs, dedupe, payload, ...spec }) => ({
        shape: { ...SHAPE, ...spec, backoff },
        ...{ delayMs, expiresInMs, dedupe, payload },
      })),
    );
    // J4, J13
    expect(answers).toEqual(this.model.enqueue(named, this.#time));
  }

  #claim({ queues, names, limit, leaseMs }: Extract<Operation, { act: 'claim' }>): void {
    const jobs = this.rig.claim({ queues, names, limit, leaseMs });
    const wanted = this.model.claimable(queues, names, limit);
    const facts = ({ id, attempts, payload }: NaiveJob) => ({ id, attempt: attempts + 1, payload });
    expect(jobs.map(({ id, attempt, payload }) => ({ id, attempt, payload }))).toEqual(wanted.map(facts));
    for (const [index, job] of jobs.entries()) {
      // J3, J4
      expect(job.token).toBeGreaterThan(this.#lastToken);
      this.#lastToken = job.token;
      this.model.lease(wanted[index]!, job.token, this.#time.monotonicMs + leaseMs);
      this.#handles.push({ id: job.id, token: job.token });
    }
  }

  #fail(pick: number, ending: 'backoff' | 'dead' | 'cancel' | number): void {
    const handle = this.#handle(pick);
    const answer = this.rig.fail(handle, typeof ending === 'number' ? { retryInMs: ending } : ending);
    expect(answer).toEqual([this.model.fail(handle.id, handle.token, ending, this.#time)]);
  }

  #redrive(picks: readonly number[] | 'all'): void {
    const { jobs } = this.model;
    const chosen = picks === 'all' ? jobs : [...new Set(picks.map((pick) => jobs[pick % Math.max(1, jobs.length)]!))];
    const wanted = chosen.filter((job) => job !== undefined);
    const done = this.model.redrive(wanted, this.#time);
    const selection =
      picks === 'all' ? { all: { state: 'dead' as const } } : { ids: wanted.map(({ id }) => this.rig.text(id)) };
    expect(this.rig.act('redrive', selection).done).toBe(done);
  }

  /** J12 */
  #operate({ kind, priority, on }: Extract<Operation, { act: 'act' }>): void {
    const { jobs } = this.model;
    const chosen =
      'state' in on
        ? jobs.filter(
            ({ state, queue, name }) =>
              state === on.state && queue === (on.queue ?? queue) && name === (on.name ?? name),
          )
        : [...new Set(on.map((pick) => jobs[pick % Math.max(1, jobs.length)]!))].filter((job) => job !== undefined);
    const selection = 'state' in on ? { all: on } : this.rig.ids(...chosen.map(({ id }) => id));
    const outcome = this.rig.act(jobAct(kind, priority), selection);
    expect(outcome).toEqual(this.model.act(kind, priority, chosen, this.#time));
  }

  /** Leases end on the way, and jobs expire and are forgotten, each at its time. */
  #advance(ms: number): void {
    const { model } = this;
    const { wallMs, monotonicMs } = this.#time;
    const endMs = monotonicMs + ms;
    for (let nowMs = monotonicMs; nowMs <= endMs; ) {
      const time = { wallMs: wallMs + nowMs - monotonicMs, monotonicMs: nowMs };
      for (let job = model.nextExpiry(nowMs); job !== undefined; job = model.nextExpiry(nowMs)) {
        model.expire(job, time.wallMs);
      }
      model.due(time);
      const leaseMs = model.nextExpiry(endMs)?.deadlineMs ?? Number.POSITIVE_INFINITY;
      nowMs = Math.max(nowMs + 1, Math.min(leaseMs, monotonicMs + model.nextWallMs() - wallMs));
    }
    this.rig.advance(ms);
  }

  #reopen(how: 'closed' | 'killed' | 'crashed'): void {
    if (how === 'crashed') this.#becomeDurable();
    this.rig.reopen(how);
    this.model.reopen(this.#time);
    this.rig.settle();
  }

  /** All that was written is on the disk 50 ms later; what the clock does meanwhile is written again. */
  #becomeDurable(): void {
    const windowMs = LIMITS.lazySyncMs + 1;
    let writes = true;
    while (writes) {
      const { wallMs, monotonicMs } = this.#time;
      writes =
        this.model.nextExpiry(monotonicMs + windowMs) !== undefined || this.model.nextWallMs() <= wallMs + windowMs;
      this.#advance(windowMs);
    }
  }

  /** A lease of the past or the present; one that never was when there is none yet. */
  #handle(pick: number): { readonly id: number; readonly token: number } {
    return this.#handles[pick % Math.max(1, this.#handles.length)] ?? { id: 4711, token: 1 };
  }
}

function shownNotes({ progress, lines = [], droppedLines = 0 }: Attempt) {
  return { progress, lines: lines.map(({ text }) => text), droppedLines };
}

function jobAct(kind: NaiveAct, priority: number): Parameters<EngineRig['act']>[0] {
  if (kind === 'reprioritise') return { kind, priority };
  return kind === 'transfer' ? { kind, queue: targetOf(priority) } : kind;
}
