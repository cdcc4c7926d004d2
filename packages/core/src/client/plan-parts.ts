import type { JobState, SelectionPlan } from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import type { EnginePlan, PlanPart } from '../engine/engine-calls.js';

type States = Partial<Record<JobState | 'missing', number>>;

/** A plan from the slices in which the engine counts, all as of the first of them. */
export async function wholePlan(
  slice: (part: Omit<EnginePlan, 'planned'>) => Promise<PlanPart>,
  scanMax: number = Number.POSITIVE_INFINITY,
): Promise<SelectionPlan> {
  const states: States = {};
  const queues = new Map<string, number>();
  let scanned = 0;
  let samples: readonly string[] = [];
  let part: PlanPart | undefined;
  do {
    part = await slice({
      jobsMax: scanMax - scanned,
      ...(part === undefined ? {} : { asOf: part.asOf, cursor: part.next }),
    });
    for (const [state, count] of Object.entries(part.states)) {
      states[state as JobState] = (states[state as JobState] ?? 0) + count;
    }
    for (const { queue, count } of part.queues) queues.set(queue, (queues.get(queue) ?? 0) + count);
    samples = [...samples, ...part.samples].slice(0, SAMPLES_MAX);
    scanned += part.scanned;
  } while (part.next !== undefined && scanned < scanMax);
  return {
    asOf: part.asOf,
    matched: {
      value: Object.values(states).reduce((sum, count) => sum + count, 0),
      relation: part.next === undefined ? 'exact' : 'atLeast',
    },
    states,
    queues: [...queues]
      .map(([queue, count]) => ({ queue, count }))
      .sort((one, other) => other.count - one.count || (one.queue < other.queue ? -1 : 1))
      .slice(0, STORE_LIMITS.planQueuesMax),
    samples,
  };
}

const SAMPLES_MAX = 5;
