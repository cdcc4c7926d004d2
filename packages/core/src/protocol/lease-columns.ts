import type { LeaseRef } from '@holdfast/contract';
import type { EngineLeaseRef } from '../engine/engine-calls.js';
import { formatId, formatToken } from '../identity.js';
import type { LeaseColumns } from './job-calls.js';

export function writeLeases(leases: readonly EngineLeaseRef[]): LeaseColumns {
  return { ids: Float64Array.from(leases, ({ id }) => id), tokens: Float64Array.from(leases, ({ token }) => token) };
}

export function readLeases({ ids, tokens }: LeaseColumns, storeTag: string): LeaseRef[] {
  return Array.from(ids, (id, index) => ({ id: formatId(storeTag, id), token: formatToken(tokens[index]!) }));
}
