import type { DeadGroup } from '@holdfast/contract';
import { Link } from 'wouter';
import { useFeature } from '../../api/meta.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import table from '../../components/table.module.css';
import { Age } from '../../components/time-text.js';
import { TwoLineText } from '../../components/two-line-text.js';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { formatCount } from '../../format/number.js';
import { ActButton } from '../acts/act-button.js';
import { useAskToAct } from '../acts/acts-provider.js';
import { token } from '../jobs/filter-tokens.js';
import { jobsText } from '../jobs/jobs-text.js';
import { DeadGroupDetails } from './dead-group-details.js';
import styles from './dead-groups.module.css';
import { deadText } from './dead-text.js';

interface DeadGroupRowProps {
  readonly group: DeadGroup;
  readonly queue: string | undefined;
  /** The list does not have it any more. */
  readonly gone: boolean;
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function DeadGroupRow({ group, queue, gone, open, onToggle }: DeadGroupRowProps) {
  const redrive = useRedriveGroup(queue);
  const title = titleOf(group);
  return (
    <>
      <tr data-row={group.fingerprint} className={classNames(open && styles.open)}>
        <td className={classNames(styles.count, table.number)}>{formatCount(group.count)}</td>
        <td className={styles.error}>
          <button
            type="button"
            data-row-target=""
            aria-expanded={open}
            className={styles.toggle}
            title={title}
            onClick={onToggle}
          >
            <span className={classNames(styles.fold, open && styles.unfolded)}>
              <Icon name="next" size={12} />
            </span>
            <span className={styles.text}>
              <span className={styles.class}>
                <VisibleText text={group.errorClass} />
              </span>{' '}
              <VisibleText text={group.message === '' ? deadText.noMessage : group.message} />
              {group.frame !== undefined && (
                <span className={styles.frame}>
                  <VisibleText text={group.frame} />
                </span>
              )}
            </span>
          </button>
        </td>
        <td className={classNames(styles.queues, table.muted)}>
          <TwoLineText text={deadText.queuesOf(group.queues)} />
        </td>
        <td className={styles.last}>
          {gone ? <span className={table.muted}>{jobsText.gone}</span> : <LastDead group={group} />}
        </td>
        <td className={styles.acts}>
          <ActButton
            needs="operator"
            size="small"
            aria-label={deadText.redriveGroup(title)}
            onAct={() => redrive(group)}
          >
            {deadText.redriveAll}
          </ActButton>
        </td>
      </tr>
      {open && (
        <tr className={styles.details}>
          <td colSpan={5}>
            <DeadGroupDetails group={group} />
            <GroupActs group={group} queue={queue} />
          </td>
        </tr>
      )}
    </>
  );
}

function LastDead({ group }: Pick<DeadGroupRowProps, 'group'>) {
  return (
    <>
      <Age atMs={group.lastDeadAtMs} /> {deadText.ago}
    </>
  );
}

function GroupActs({ group, queue }: { readonly group: DeadGroup; readonly queue: string | undefined }) {
  const ask = useAskToAct();
  const planned = useFeature('bulk');
  const q = token('group', group.fingerprint);
  const inQueue = queue === undefined ? '' : `&queue=${encodeURIComponent(queue)}`;
  return (
    <div className={styles.groupActs}>
      <Link href={`/jobs?state=dead${inQueue}&q=${encodeURIComponent(q)}`}>{deadText.open(group.count)}</Link>
      {planned && (
        <ActButton
          needs="admin"
          size="small"
          look="quiet"
          onAct={() =>
            ask({
              kind: 'bulk',
              about: titleOf(group),
              target: { act: { kind: 'remove' }, selection: { filter: filterOf(group, queue) } },
            })
          }
        >
          {deadText.removeAll}
        </ActButton>
      )}
    </div>
  );
}

/** All jobs of an error, through the dialog that says how many. */
export function useRedriveGroup(queue: string | undefined): (group: DeadGroup) => void {
  const ask = useAskToAct();
  return (group) =>
    ask({
      kind: 'bulk',
      about: titleOf(group),
      target: { act: { kind: 'redrive' }, selection: { filter: filterOf(group, queue) } },
    });
}

function titleOf({ errorClass, message }: DeadGroup): string {
  return visibleText(message === '' ? errorClass : `${errorClass}: ${message}`);
}

function filterOf(group: DeadGroup, queue: string | undefined) {
  return {
    state: 'dead' as const,
    errorFingerprint: group.fingerprint,
    ...(queue === undefined ? {} : { queue }),
  };
}
