import type { BulkOperation } from '@holdfast/contract';
import { isOver } from '../../api/bulk.js';
import { classNames } from '../../components/class-names.js';
import { Icon, type IconName } from '../../components/icon.js';
import { ProgressBar } from '../../components/progress-bar.js';
import table from '../../components/table.module.css';
import { Age } from '../../components/time-text.js';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { ActButton } from '../acts/act-button.js';
import { actWords } from '../acts/act-text.js';
import { bulkText, filterWords } from '../bulk/bulk-text.js';
import { useStepOf } from '../bulk/operation-step.js';
import styles from './activity.module.css';
import { activityText } from './activity-text.js';

const { columns } = activityText;

export function OperationTable({ operations }: { readonly operations: readonly BulkOperation[] }) {
  return (
    <table className={classNames(table.table, styles.table)} aria-label={activityText.operations}>
      <thead>
        <tr>
          <th scope="col" className={styles.status}>
            {columns.status}
          </th>
          <th scope="col">{columns.act}</th>
          <th scope="col" className={styles.progress}>
            {columns.progress}
          </th>
          <th scope="col" className={styles.by}>
            {columns.by}
          </th>
          <th scope="col" className={classNames(styles.when, table.number)}>
            {columns.when}
          </th>
          <th scope="col" className={styles.controls}>
            <span className={styles.hidden}>{columns.controls}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {operations.map((operation) => (
          <OperationRow key={operation.id} operation={operation} />
        ))}
      </tbody>
    </table>
  );
}

function OperationRow({ operation }: { readonly operation: BulkOperation }) {
  const { status } = operation;
  return (
    <tr>
      <td className={styles.status}>
        <span className={classNames(styles.badge, styles[status])}>
          <Icon name={ICONS[status]} size={13} />
          {bulkText.statuses[status]}
        </span>
      </td>
      <td className={styles.target}>
        <strong>{actWords[operation.act.kind].verb}</strong> <Target operation={operation} />
        {operation.reason !== undefined && (
          <span className={styles.reason}>
            <VisibleText text={operation.reason} />
          </span>
        )}
      </td>
      <td className={styles.progress}>
        <ProgressBar value={operation.done} max={operation.planned} label={bulkText.progress(operation)} />
        <span className={styles.numbers} title={bulkText.skipped(operation)}>
          {operation.problem === undefined ? bulkText.progress(operation) : visibleText(operation.problem)}
        </span>
      </td>
      <td className={styles.by} title={visibleText(activityText.by(operation.actor, operation.role))}>
        <VisibleText text={operation.actor} />
      </td>
      <td className={classNames(styles.when, table.number)}>
        <Age atMs={operation.createdAtMs} /> {activityText.ago}
      </td>
      <td className={styles.controls}>{!isOver(operation) && <Controls operation={operation} />}</td>
    </tr>
  );
}

/** What the operation was planned for. */
export function Target({ operation }: { readonly operation: Pick<BulkOperation, 'selection'> }) {
  const { selection } = operation;
  if ('ids' in selection) return <span className={styles.words}>{activityText.ids(selection.ids.length)}</span>;
  return (
    <span className={styles.words}>
      {filterWords(selection.filter)
        .map(([name, value]) => `${name} ${value}`)
        .join(' · ')}
    </span>
  );
}

function Controls({ operation }: { readonly operation: BulkOperation }) {
  const { take } = useStepOf(operation.id);
  const waits = operation.status === 'waiting';
  return (
    <span className={styles.buttons}>
      {!waits && (
        <ActButton needs="operator" size="small" onAct={() => take(operation.status === 'paused' ? 'resume' : 'pause')}>
          {operation.status === 'paused' ? bulkText.resume : bulkText.pause}
        </ActButton>
      )}
      <ActButton needs="operator" size="small" onAct={() => take('abort')}>
        {waits ? bulkText.undo : bulkText.abort}
      </ActButton>
    </span>
  );
}

const ICONS: Readonly<Record<BulkOperation['status'], IconName>> = {
  waiting: 'scheduled',
  running: 'leased',
  paused: 'pause',
  done: 'completed',
  aborted: 'cancelled',
  failed: 'warning',
};
