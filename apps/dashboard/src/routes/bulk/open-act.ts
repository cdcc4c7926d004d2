import type { BulkAct } from '@holdfast/contract';
import type { JobActKind } from '../../api/acts.js';

/** An act of which it is not said yet where jobs go, or what priority they get. */
export interface OpenAct {
  readonly kind: 'transfer' | 'reprioritise';
}

/** An act on many jobs as it is first asked for, by its word alone. */
export function actOf(kind: JobActKind): BulkAct | OpenAct {
  // Alike, but each of another type.
  return kind === 'transfer' || kind === 'reprioritise' ? { kind } : { kind };
}

export function isWhole(act: BulkAct | OpenAct): act is BulkAct {
  if (act.kind === 'transfer') return 'queue' in act;
  return act.kind !== 'reprioritise' || 'priority' in act;
}
