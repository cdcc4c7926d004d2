import type { ActedBy } from '@holdfast/contract';
import type { ActingPerson } from './activity-log.js';
import type { AdminIdentity } from './admin-options.js';

export function actingPerson({ actor, role }: AdminIdentity, reason = ''): ActingPerson {
  const why = reason.trim();
  return { actor, role, ...(why === '' ? {} : { reason: why }) };
}

/** As the store notes it. */
export function actedBy({ actor, reason }: ActingPerson): ActedBy {
  return reason === undefined ? { actor } : { actor, reason };
}
