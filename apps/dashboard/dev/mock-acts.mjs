// What operators can do to the mock world: acts on one job and on many, pauses, and the record of it all.
import { fits, matches } from './mock-filter.mjs';
import { Refusal } from './mock-refusal.mjs';

const ROLES = ['viewer', 'operator', 'admin'];
export const UNDO_WINDOW_MS = 8_000;
const PLAN_MS = 600_000;
const SAMPLES = 5;

/** Plans, operations and the audit of one server. */
export class MockDesk {
  plans = new Map();
  operations = [];
  audit = [];
  #lastId = 0;

  /** Answers a POST, or `undefined` if it is not one of these. */
  post(segments, body, state) {
    const [resource, id, what, act] = segments;
    if (resource === 'jobs' && what === 'acts') return this.#actOnOne(id, act, body, state);
    if (resource === 'queues') return this.#queue(id, body, state);
    if (resource === 'bulk' && id === 'plans') return this.#plan(body, state);
    if (resource === 'bulk' && id === 'operations') {
      return what === undefined ? this.#start(body, state) : this.#step(what, act, state);
    }
    return undefined;
  }

  /** Works operations off as the real server would: so many jobs a second. */
  tick(world, nowMs) {
    for (const operation of this.operations) {
      if (operation.status === 'waiting' && nowMs >= operation.startsAtMs) operation.status = 'running';
      if (operation.status !== 'running') continue;
      const piece = operation.left.splice(0, Math.ceil(operation.ratePerSecond));
      for (const entry of piece) {
        if (!fits(operation.act.kind, entry.row.state)) count(operation.skipped, entry.row.state);
        else {
          apply(world, entry, operation, nowMs);
          operation.done += 1;
        }
      }
      operation.updatedAtMs = nowMs;
      if (operation.left.length === 0) this.#end(operation, 'done', nowMs);
    }
  }

  shownOperations() {
    return this.operations.map(shownOperation);
  }

  operation(id) {
    const found = this.operations.find((operation) => operation.id === id);
    if (found === undefined) throw new Refusal(404, 'OPERATION_NOT_FOUND', 'Not Found', 'There is no such operation.');
    return found;
  }

  note(entry, { role, nowMs }) {
    this.audit.unshift({ id: this.#id('a'), atMs: nowMs, actor: ACTOR, role, status: 'done', ...entry });
  }

  #end(operation, status, nowMs) {
    Object.assign(operation, { status, endedAtMs: nowMs, updatedAtMs: nowMs });
  }

  #id(letter) {
    this.#lastId += 1;
    return `${letter}${this.#lastId}`;
  }

  #actOnOne(id, act, body, state) {
    demand(state.role, act === 'remove' || act === 'clone' ? 'admin' : 'operator');
    const entry = state.world.find(id);
    if (entry === undefined) throw new Refusal(404, 'JOB_NOT_FOUND', 'Not Found', 'The store does not know this job.');
    if (act === 'clone') {
      this.note({ act, target: { ids: [id] }, reason: body.reason }, state);
      return { id: state.world.clone(entry, body.payload, state.nowMs) };
    }
    if (!fits(act, entry.row.state)) {
      throw new Refusal(409, 'JOB_STATE', 'Conflict', `The job is ${entry.row.state}: it changed since you looked.`);
    }
    const { priority, queue } = body;
    apply(state.world, entry, { act: { kind: act, priority, queue }, reason: body.reason }, state.nowMs);
    const target = { ids: [id], ...(queue === undefined ? {} : { toQueue: queue }) };
    this.note({ act, target, reason: body.reason, outcome: { matched: 1, done: 1, skipped: {} } }, state);
    return act === 'remove' ? {} : { job: entry.row };
  }

  #queue(act, { queue, forMs, reason }, state) {
    demand(state.role, 'operator');
    const { world, nowMs } = state;
    this.note({ act, target: { queue }, reason }, state);
    if (act === 'resume') return { resumed: world.paused.delete(queue) };
    const paused = {
      sinceMs: nowMs,
      actor: ACTOR,
      ...(forMs === undefined ? {} : { untilMs: nowMs + forMs }),
      ...(reason === undefined ? {} : { reason }),
    };
    world.paused.set(queue, paused);
    return { paused };
  }

  #plan({ act, selection }, { world, nowMs, role }) {
    const entries =
      'ids' in selection
        ? selection.ids.map((id) => world.find(id)).filter(Boolean)
        : world.jobs.filter((entry) => matches(entry, selection.filter, nowMs));
    const left = entries.filter((entry) => fits(act.kind, entry.row.state));
    const ineligible = {};
    for (const entry of entries) if (!left.includes(entry)) count(ineligible, entry.row.state);
    const planId = this.#id('p');
    this.plans.set(planId, { act, selection, left, role });
    return {
      planId,
      plan: {
        matched: { value: entries.length, relation: 'exact' },
        states: tally(entries, (row) => row.state),
        queues: Object.entries(tally(entries, (row) => row.queue))
          .map(([queue, number]) => ({ queue, count: number }))
          .sort((a, b) => b.count - a.count),
        samples: entries.slice(0, SAMPLES).map((entry) => entry.row.id),
        eligible: left.length,
        ineligible,
        asOfMs: nowMs,
        expiresAtMs: nowMs + PLAN_MS,
      },
    };
  }

  #start({ planId, ratePerSecond = 50, reason, requestId }, state) {
    const begun = this.operations.find((known) => requestId !== undefined && known.requestId === requestId);
    if (begun !== undefined) return { operation: shownOperation(begun) };
    const plan = this.plans.get(planId);
    if (plan === undefined) throw new Refusal(410, 'PLAN_EXPIRED', 'Gone', 'The plan is too old: look again.');
    demand(state.role, plan.act.kind === 'remove' ? 'admin' : 'operator');
    const { nowMs } = state;
    const waits = plan.act.kind === 'remove';
    const operation = {
      id: this.#id('o'),
      act: plan.act,
      selection: plan.selection,
      left: [...plan.left],
      requestId,
      status: waits ? 'waiting' : 'running',
      planned: plan.left.length,
      done: 0,
      skipped: {},
      ratePerSecond,
      actor: ACTOR,
      role: state.role,
      reason,
      createdAtMs: nowMs,
      startsAtMs: waits ? nowMs + UNDO_WINDOW_MS : nowMs,
      updatedAtMs: nowMs,
    };
    this.operations.unshift(operation);
    const { queue: toQueue } = plan.act;
    const target = { ...targetOf(plan.selection), ...(toQueue === undefined ? {} : { toQueue }) };
    this.note({ act: `bulk ${plan.act.kind}`, target, reason, status: 'begun' }, state);
    return { operation: shownOperation(operation) };
  }

  #step(id, step, state) {
    demand(state.role, 'operator');
    const operation = this.operation(id);
    if (step === 'abort') this.#end(operation, 'aborted', state.nowMs);
    else operation.status = step === 'pause' ? 'paused' : 'running';
    this.note({ act: `bulk ${step}`, target: { operation: id } }, state);
    return { operation: shownOperation(operation) };
  }
}

const ACTOR = 'grace@example.org';

function shownOperation({ left: _left, requestId: _requestId, ...operation }) {
  return operation;
}

function targetOf(selection) {
  return 'ids' in selection
    ? { ids: selection.ids.slice(0, 20), idsCount: selection.ids.length }
    : { filter: selection.filter };
}

function demand(role, needed) {
  if (ROLES.indexOf(role) >= ROLES.indexOf(needed)) return;
  throw new Refusal(403, 'ROLE_TOO_LOW', 'Forbidden', `This needs the role ${needed}.`);
}

/** Its handler hears of it at once, and stops a while later (mock-facts.mjs). */
function cancelRun(entry, nowMs) {
  const last = entry.attemptLog.at(-1);
  Object.assign(last, { outcome: 'cancelled', endedAtMs: nowMs });
  const { attempt, worker } = last;
  entry.cancelledRun = { attempt, worker, requestedAtMs: nowMs, known: true, heardAtMs: nowMs + 4 };
}

function apply(world, entry, { act, reason }, nowMs) {
  const { kind } = act;
  if (kind === 'redrive') world.redrive([entry], ACTOR, reason, nowMs);
  else if (kind === 'remove') world.jobs.splice(world.jobs.indexOf(entry), 1);
  else {
    const state = { runNow: 'ready', cancel: 'cancelled', drain: 'cancelled' }[kind] ?? entry.row.state;
    const priority = kind === 'reprioritise' ? act.priority : entry.row.priority;
    const { lease: _, ...row } = entry.row;
    if (entry.row.state === 'leased' && state === 'cancelled') cancelRun(entry, nowMs);
    const queue = kind === 'transfer' ? act.queue : entry.row.queue;
    entry.row = { ...row, queue, state, priority, updatedAtMs: nowMs };
    if (state === 'cancelled') entry.extras.cancelCause = 'operator';
    entry.acts.push({
      act: kind === 'drain' ? 'cancel' : kind,
      atMs: nowMs,
      actor: ACTOR,
      ...(reason === undefined ? {} : { reason }),
      ...(kind === 'reprioritise' ? { priority } : {}),
    });
  }
}

function count(counts, key) {
  counts[key] = (counts[key] ?? 0) + 1;
}

function tally(entries, key) {
  const counts = {};
  for (const entry of entries) count(counts, key(entry.row));
  return counts;
}
