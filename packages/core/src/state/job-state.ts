import { JOB_EVENTS, JOB_STATES, type JobEvent, type JobState, LIFECYCLE } from '@holdfast/contract';
import { invariant } from '../invariant.js';

/**
 * States and events as numbers, so that a column of bytes can hold them. A state's number is its place in JOB_STATES.
 * `hidden` and `free` are no states of a job: a hidden one is applied but not durable yet, so nobody may see it.
 */
export const STATE = {
  scheduled: 0,
  ready: 1,
  leased: 2,
  completed: 3,
  dead: 4,
  cancelled: 5,
  hidden: 6,
  free: 7,
} as const;

export const EVENT = {
  due: 0,
  claim: 1,
  ack: 2,
  retry: 3,
  die: 4,
  release: 5,
  redrive: 6,
  cancel: 7,
  expire: 8,
  runNow: 9,
  reprioritise: 10,
  remove: 11,
  replace: 12,
  transfer: 13,
} as const;

export const STATES = JOB_STATES.length;

/** Row length of tables by state: a power of two, with room for STATE.hidden and STATE.free. */
export const STATE_STRIDE = 8;

const EVENT_STRIDE = 16;

const REFUSED = 255;

/** LIFECYCLE as a table of numbers, by state × 16 + event. A forgotten job is `free`. */
const NEXT_STATE = compile();

/** Whether a job in this state refuses the event. */
export function refuses(state: number, event: number): boolean {
  return nextState(state, event) === REFUSED;
}

/** Only for an event that is not refused. */
export function nextState(state: number, event: number): number {
  return NEXT_STATE[state * EVENT_STRIDE + event]!;
}

export function stateName(state: number): JobState {
  const name = JOB_STATES[state];
  invariant(name !== undefined, `state ${state} has a name`);
  return name;
}

export function stateNumber(name: JobState): number {
  return STATE[name];
}

export function eventName(event: number): JobEvent {
  const name = JOB_EVENTS[event];
  invariant(name !== undefined, `event ${event} has a name`);
  return name;
}

function compile(): Uint8Array {
  const table = new Uint8Array(STATE_STRIDE * EVENT_STRIDE).fill(REFUSED);
  for (const state of JOB_STATES) {
    invariant(JOB_STATES[STATE[state]] === state, `state ${state} has its number`);
    for (const event of JOB_EVENTS) {
      invariant(JOB_EVENTS[EVENT[event]] === event, `event ${event} has its number`);
      const next = LIFECYCLE[state][event];
      if (next === 'refused') continue;
      table[STATE[state] * EVENT_STRIDE + EVENT[event]] = next === 'forgotten' ? STATE.free : STATE[next];
    }
  }
  return table;
}
