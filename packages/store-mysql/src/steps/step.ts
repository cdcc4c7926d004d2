import type { StatementName, Statements } from '@holdfast/sql-store';
import type { Work } from '../work.js';

/**
 * How a call is done where it is no part of a transaction. `separately`: its statements need not belong together. `together`: in one transaction.
 * `asOfOneMoment`: all of it reads what was there at one moment. `seeingUncommitted`: in one transaction, whose plain reads show also what others have not committed.
 */
export type Scope = 'separately' | 'together' | 'asOfOneMoment' | 'seeingUncommitted';

/** What the store does when it is asked for something. */
export interface Step<Name extends StatementName> {
  readonly scope: Scope;
  readonly run: (work: Work, values: Statements[Name]['values']) => Promise<readonly Statements[Name]['row'][]>;
  /** A quick look without a transaction whether there is anything to do; if not, the answer is empty. */
  readonly isWorth?: (work: Work, values: Statements[Name]['values']) => Promise<boolean>;
}
