import type { BulkOperation } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askAgain } from '../../api/acts.js';
import { isOver, operationQuery } from '../../api/bulk.js';
import { Button } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Icon, type IconName } from '../../components/icon.js';
import { ProgressBar } from '../../components/progress-bar.js';
import { VisibleText } from '../../components/visible-text.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { OPERATION_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { useServerNow } from '../../live/server-now.js';
import { bulkText } from './bulk-text.js';
import styles from './operation-cards.module.css';
import { useStepOf } from './operation-step.js';
import { forgetOperation, useWatchedOperations } from './watched-operations.js';

const OVER_MS = 12_000;

/** What this page has started, in a corner: it goes on in the server when the page is closed, and is listed under Activity. */
export function OperationCards() {
  const watched = useWatchedOperations();
  return (
    <ul className={styles.list} aria-label={bulkText.operations}>
      {watched.map((id) => (
        <li key={id}>
          <OperationCard id={id} />
        </li>
      ))}
    </ul>
  );
}

function OperationCard({ id }: { readonly id: string }) {
  const { data, error } = useQuery(operationQuery(id, useRefresh(OPERATION_REFRESH_MS)));
  const operation = data?.operation;
  const over = operation !== undefined && isOver(operation);
  const client = useQueryClient();
  useEffect(() => {
    if (!over) return undefined;
    askAgain(client);
    const timer = setTimeout(() => forgetOperation(id), OVER_MS);
    return () => clearTimeout(timer);
  }, [over, id, client]);
  if (operation === undefined) return error === null ? null : <UnknownCard id={id} error={error} />;
  return (
    <div className={classNames(styles.card, styles[operation.status])}>
      <span className={styles.icon}>
        <Icon name={iconOf(operation)} />
      </span>
      <div className={styles.text}>
        <Headline operation={operation} />
        {over ? <Ended operation={operation} /> : <Progress operation={operation} />}
        {!over && error !== null && <Unanswered error={error} />}
      </div>
      {!over && <Abort operation={operation} />}
      {(over || error !== null) && <Dismiss id={id} />}
    </div>
  );
}

/** Begun, but not seen since. */
function UnknownCard({ id, error }: { readonly id: string; readonly error: Error }) {
  return (
    <div className={styles.card}>
      <span className={styles.icon}>
        <Icon name="warning" />
      </span>
      <div className={styles.text}>
        <p role="status">{bulkText.begun}</p>
        <Unanswered error={error} />
      </div>
      <Dismiss id={id} />
    </div>
  );
}

/** The server goes on with it, whatever this page hears. */
function Unanswered({ error }: { readonly error: Error }) {
  return (
    <p className={styles.detail}>
      {bulkText.unanswered} <VisibleText text={error.message} />
    </p>
  );
}

/** What is read out changes with the status alone: nobody could hear anything else beside a countdown. */
function Headline({ operation }: { readonly operation: BulkOperation }) {
  const { status } = operation;
  const waits = status === 'waiting';
  return (
    <>
      <p role="status" className={waits ? styles.spoken : undefined}>
        {waits ? bulkText.soon(operation) : bulkText[status](operation)}
      </p>
      {waits && <Countdown operation={operation} />}
    </>
  );
}

function Countdown({ operation }: { readonly operation: BulkOperation }) {
  const nowMs = useServerNow();
  return <p>{bulkText.waiting(operation, operation.startsAtMs - nowMs)}</p>;
}

function Ended({ operation }: { readonly operation: BulkOperation }) {
  const detail = operation.problem ?? bulkText.skipped(operation);
  return detail === undefined ? null : <p className={styles.detail}>{detail}</p>;
}

function Progress({ operation }: { readonly operation: BulkOperation }) {
  return (
    <>
      <ProgressBar value={operation.done} max={operation.planned} label={bulkText.progress(operation)} />
      <p className={styles.detail}>{bulkText.progress(operation)}</p>
    </>
  );
}

/** Before anything was done it is an undo; later it only stops. */
function Abort({ operation }: { readonly operation: BulkOperation }) {
  const step = useStepOf(operation.id);
  const abort = () => step.take('abort');
  useShortcuts(operation.status === 'waiting' ? { u: abort } : {});
  return (
    <Button size="small" disabled={step.busy} onClick={abort}>
      {operation.status === 'waiting' ? bulkText.undo : bulkText.abort}
    </Button>
  );
}

function Dismiss({ id }: { readonly id: string }) {
  return (
    <Button look="quiet" size="small" square aria-label={bulkText.dismiss} onClick={() => forgetOperation(id)}>
      <Icon name="close" />
    </Button>
  );
}

function iconOf({ status }: BulkOperation): IconName {
  if (status === 'done') return 'completed';
  if (status === 'failed') return 'warning';
  if (status === 'aborted') return 'cancelled';
  return status === 'running' ? 'leased' : 'pause';
}
