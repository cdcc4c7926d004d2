import type { BulkAct, BulkPlanAnswer, BulkTarget, JobFilter } from '@holdfast/contract';
import { VisibleText } from '../../components/visible-text.js';
import { formatCount } from '../../format/number.js';
import { bulkText, filterWords } from './bulk-text.js';
import styles from './plan-view.module.css';

const QUEUES_SHOWN = 4;

interface ScopeProps extends Pick<BulkTarget, 'selection'> {
  /** What a fingerprint stands for is told already. */
  readonly named: boolean;
}

/** What was asked for, as it will be frozen. */
export function Scope({ selection, named }: ScopeProps) {
  const words = 'filter' in selection ? filterWords(shownFilter(selection.filter, named)) : undefined;
  return (
    <ul className={styles.scope} aria-label={bulkText.filter}>
      {words === undefined ? (
        <li className={styles.chip}>{'ids' in selection && bulkText.byIds(selection.ids.length)}</li>
      ) : words.length === 0 ? (
        <li className={styles.chip}>{bulkText.allJobs}</li>
      ) : (
        words.map(([name, value]) => (
          <li key={name} className={styles.chip}>
            <span>{name}</span> {value}
          </li>
        ))
      )}
    </ul>
  );
}

function shownFilter({ errorFingerprint, ...filter }: JobFilter, named: boolean): JobFilter {
  return named || errorFingerprint === undefined ? filter : { ...filter, errorFingerprint };
}

/** The number, its split, where the jobs are, and a few of them. */
export function PlanView({ plan, act }: { readonly plan: BulkPlanAnswer['plan']; readonly act: BulkAct }) {
  const ineligible = bulkText.ineligible(plan);
  return (
    <div className={styles.plan}>
      <p className={styles.count}>
        <strong>{bulkText.eligible(plan, act)}</strong>
        {ineligible !== undefined && <span>{ineligible}</span>}
      </p>
      {plan.matched.relation === 'atLeast' && <p className={styles.note}>{bulkText.atLeast}</p>}
      <dl className={styles.facts}>
        {plan.queues.length > 0 && (
          <div>
            <dt>{bulkText.queues}</dt>
            <dd>
              {plan.queues.slice(0, QUEUES_SHOWN).map(({ queue, count }, index) => (
                <span key={queue}>
                  {index > 0 && ', '}
                  <VisibleText text={queue} /> {formatCount(count)}
                </span>
              ))}
              {plan.queues.length > QUEUES_SHOWN && ' …'}
            </dd>
          </div>
        )}
        {plan.samples.length > 0 && (
          <div>
            <dt>{bulkText.samples}</dt>
            <dd>
              {plan.samples.map((id) => (
                <code key={id} className={styles.sample}>
                  <VisibleText text={id} />
                </code>
              ))}
            </dd>
          </div>
        )}
      </dl>
      <p className={styles.note}>{bulkText.asOf(plan.asOfMs)}</p>
    </div>
  );
}
