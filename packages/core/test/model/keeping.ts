import type { Retention } from '@holdfast/contract';

/** Of each queue so many completed and cancelled jobs are kept, and all dead ones, however old and large. */
export function keeping(count: number): Retention {
  const bounds = { count, ageMs: null, bytes: null };
  return { completed: bounds, cancelled: bounds, dead: { ...bounds, count: 1e7 }, queues: {} };
}
