import type { ActedBy, ActOutcome, PlanRequest, Selection, SelectionPlan } from '@holdfast/contract';
import { checkedPlanned, checkedTarget } from '@holdfast/contract/rules';
import type { FurtherQueries } from './further-statements.js';
import { SqlStore } from './sql-store.js';

import { type SqlStoreParts, StoreRun } from './store-run.js';

/** A store on a database that answers the further statements. */
export class PlanningStore<Transaction> extends SqlStore<Transaction> {
  /** Opened by the package of a database. */
  static override async begin<Transaction>(
    parts: SqlStoreParts<Transaction> & { readonly further: FurtherQueries },
  ): Promise<PlanningStore<Transaction>> {
    return new PlanningStore(parts.kind, await StoreRun.begin(parts));
  }

  async plan(jobs: PlanRequest, options: { readonly scanMax?: number } = {}): Promise<SelectionPlan> {
    this.refuseIfClosed();
    const planned = checkedPlanned(jobs);
    return this.call(() => this.run.plan(planned, options.scanMax));
  }

  async transfer(selection: Selection, queue: string, by: ActedBy): Promise<ActOutcome> {
    return this.act(() => ({ kind: 'transfer', queue: checkedTarget(queue) }), selection, by);
  }
}
