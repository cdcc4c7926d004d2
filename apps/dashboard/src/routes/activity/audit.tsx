import type { ActivityEntry } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { activityQuery } from '../../api/activity.js';
import { classNames } from '../../components/class-names.js';
import { EmptyState } from '../../components/empty-state.js';
import { Skeleton } from '../../components/skeleton.js';
import table from '../../components/table.module.css';
import { Age } from '../../components/time-text.js';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { Answered } from '../../frame/answered.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { filterWords } from '../bulk/bulk-text.js';
import { pagesBeside, useCursorPages } from '../cursor-pages.js';
import { NextButton, PreviousButton } from '../pager.js';
import styles from './activity.module.css';
import { activityText } from './activity-text.js';

const { auditColumns: columns } = activityText;

/** Who did what, when and why: read from the store, where nobody can take it out. */
export function Audit() {
  const here = useCursorPages();
  const entries = useQuery(activityQuery(here.cursor, useRefresh(CALM_REFRESH_MS)));
  const pages = pagesBeside(here, entries.isPlaceholderData);
  return (
    <section className={styles.section}>
      <h2>{activityText.audit}</h2>
      <Answered query={entries} loading={<Skeleton rows={6} label={activityText.loading} />}>
        {(answer) => (
          <>
            <p className={styles.note}>{activityText.auditKept(answer.kept)}</p>
            <div className={table.frame}>
              {answer.entries.length === 0 ? (
                <EmptyState title={activityText.noAudit}>{activityText.noAuditNote}</EmptyState>
              ) : (
                <AuditTable entries={answer.entries} />
              )}
            </div>
            {(pages.number !== 1 || answer.next !== undefined) && (
              <div className={styles.pager}>
                <PreviousButton pages={pages} label={activityText.previous} />
                <NextButton pages={pages} next={answer.next} label={activityText.next} />
              </div>
            )}
          </>
        )}
      </Answered>
    </section>
  );
}

function AuditTable({ entries }: { readonly entries: readonly ActivityEntry[] }) {
  return (
    <table className={classNames(table.table, styles.table)} aria-label={activityText.audit}>
      <thead>
        <tr>
          <th scope="col" className={styles.when}>
            {columns.when}
          </th>
          <th scope="col" className={styles.by}>
            {columns.by}
          </th>
          <th scope="col" className={styles.act}>
            {columns.act}
          </th>
          <th scope="col">{columns.target}</th>
          <th scope="col" className={styles.outcome}>
            {columns.outcome}
          </th>
          <th scope="col" className={styles.why}>
            {columns.reason}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className={styles.when}>
              <Age atMs={entry.atMs} /> {activityText.ago}
            </td>
            <td className={styles.by} title={visibleText(activityText.by(entry.actor, entry.role))}>
              <VisibleText text={entry.actor} />
            </td>
            <td className={styles.act}>{activityText.act(entry.act)}</td>
            <td>
              <EntryTarget target={entry.target} />
            </td>
            <td className={classNames(styles.outcome, entry.status === 'failed' && styles.wrong)}>
              {visibleText(activityText.outcome(entry))}
            </td>
            <td
              className={classNames(styles.why, table.muted)}
              title={entry.reason === undefined ? undefined : visibleText(entry.reason)}
            >
              {entry.reason !== undefined && <VisibleText text={entry.reason} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EntryTarget({ target }: Pick<ActivityEntry, 'target'>) {
  const { ids, idsCount, filter, queue, operation, toQueue } = target;
  const [only] = ids ?? [];
  if (only !== undefined && (idsCount ?? ids?.length) === 1) {
    return (
      <>
        <Link href={`/jobs?job=${encodeURIComponent(only)}`} className={styles.id}>
          <VisibleText text={only} />
        </Link>
        {toQueue !== undefined && ` ${activityText.toQueue(visibleText(toQueue))}`}
      </>
    );
  }
  const words = [
    ...(ids === undefined ? [] : [activityText.ids(idsCount ?? ids.length)]),
    ...(queue === undefined ? [] : [activityText.queue(visibleText(queue))]),
    ...(filter === undefined ? [] : filterWords(filter).map(([name, value]) => `${name} ${value}`)),
    ...(operation === undefined ? [] : [activityText.operation(visibleText(operation))]),
    ...(toQueue === undefined ? [] : [activityText.toQueue(visibleText(toQueue))]),
  ];
  return <span title={words.join(' · ')}>{words.join(' · ')}</span>;
}
