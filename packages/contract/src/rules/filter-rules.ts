import type { Payload } from '../job.js';
import type { JobFilter, PayloadField } from '../job-selection.js';

const INTERNAL_PREFIX = 'holdfast.';

/** Queues of Holdfast's own, which are shown and acted on only by name. */
export function isInternalQueue(queue: string): boolean {
  return queue.startsWith(INTERNAL_PREFIX);
}

/** Whether counters of states, queues and names do not say how many jobs match. */
export function isSearch({ state: _state, queue: _queue, name: _name, ...more }: JobFilter): boolean {
  return Object.values(more).some((value) => value !== undefined);
}

/** Whether a message holds the text, in whatever case. */
export function holdsText(message: string, text: string): boolean {
  return message.toLowerCase().includes(text.toLowerCase());
}

/** Whether a payload that is JSON has a text, number, truth value or null at the path that looks like the value. */
export function payloadHas(payload: Payload, { path, value }: PayloadField): boolean {
  // Most payloads are told by a look for the bare text; one with an escape in it is read.
  if (typeof payload !== 'string' || !(payload.includes(value) || payload.includes('\\'))) return false;
  let place: unknown;
  try {
    place = JSON.parse(payload);
  } catch {
    return false;
  }
  for (const name of path.split('.')) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return false;
    place = Reflect.get(place, name);
  }
  if (typeof place === 'string') return place === value;
  return (typeof place === 'number' || typeof place === 'boolean' || place === null) && String(place) === value;
}
