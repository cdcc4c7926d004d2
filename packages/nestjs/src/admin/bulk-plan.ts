import {
  type BulkTarget,
  JOB_STATES,
  type JobEvent,
  type JobFilter,
  type JobState,
  type JobStore,
  LIFECYCLE,
  type PlanRequest,
  type SelectionPlan,
} from '@holdfast/contract';
import { Refusal, unsupported } from './refusal.js';
import { PLAN, type Plan } from './request-schema.js';

const PLAN_VALID_MS = 15 * 60_000;
/** Jobs that a plan looks at where counters do not answer: beyond, it says "at least". */
const PLAN_SCAN_MAX = 200_000;
const DRAINED: readonly JobState[] = ['ready', 'scheduled'];

/** A plan with what it was made for. */
export interface MadePlan {
  readonly plan: Plan;
  readonly selection: SelectionPlan;
  readonly eligible: number;
  readonly ineligible: SelectionPlan['states'];
}

/** Counts what a bulk act would meet. Changes nothing. */
export async function makePlan(store: JobStore, target: BulkTarget, nowMs: number): Promise<MadePlan> {
  if (store.plan === undefined) throw unsupported('plans');
  if (target.act.kind === 'transfer' && store.transfer === undefined) throw unsupported('way to another queue');
  const selection = await store.plan(planned(target), { scanMax: PLAN_SCAN_MAX });
  const states = fittingStates(target);
  let eligible = 0;
  const ineligible: Partial<Record<JobState | 'missing', number>> = {};
  for (const [state, count] of Object.entries(selection.states)) {
    if (states.some((fitting) => fitting === state)) eligible += count;
    else ineligible[state as JobState] = count;
  }
  const plan = { target, asOf: selection.asOf, planned: eligible, expiresAtMs: nowMs + PLAN_VALID_MS };
  return { plan: PLAN.parse(plan), selection, eligible, ineligible };
}

/** The event of LIFECYCLE that an act is. */
export function eventOf({
  act,
}: BulkTarget): Extract<JobEvent, 'redrive' | 'runNow' | 'cancel' | 'remove' | 'reprioritise' | 'transfer'> {
  return act.kind === 'drain' ? 'cancel' : act.kind;
}

/** States in which the act finds jobs that it can change. */
export function fittingStates(target: BulkTarget): readonly JobState[] {
  if (target.act.kind === 'drain') return DRAINED;
  const event = eventOf(target);
  const wanted = 'filter' in target.selection ? target.selection.filter.state : undefined;
  return JOB_STATES.filter(
    (state) => LIFECYCLE[state][event] !== 'refused' && (wanted === undefined || wanted === state),
  );
}

export function filterOf({ selection }: BulkTarget): JobFilter | undefined {
  return 'filter' in selection ? selection.filter : undefined;
}

export function planId(plan: Plan): string {
  return Buffer.from(JSON.stringify(plan)).toString('base64url');
}

/** @throws Refusal */
export function planOf(id: string, nowMs: number): Plan {
  const result = PLAN.safeParse(jsonIn(id));
  if (!result.success) throw new Refusal(400, 'PLAN_INVALID', 'planId is not one that a plan gave.', 'planId');
  if (result.data.expiresAtMs < nowMs) {
    throw new Refusal(410, 'PLAN_EXPIRED', 'The plan is too old. Make another one. Nothing was changed.');
  }
  return result.data;
}

function jsonIn(id: string): unknown {
  try {
    return JSON.parse(Buffer.from(id, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function planned({ act, selection }: BulkTarget): PlanRequest {
  if ('ids' in selection) return { ids: selection.ids };
  return { all: act.kind === 'drain' ? { queue: selection.filter.queue ?? '' } : selection.filter };
}
