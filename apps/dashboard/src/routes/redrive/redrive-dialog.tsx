import type { RedrivesAnswer, RedrivesBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { overviewQuery } from '../../api/overview.js';
import { useRedrive } from '../../api/redrives.js';
import { Dialog } from '../../components/dialog.js';
import { showToast } from '../../components/toasts.js';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { FAST_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { ActForm, ReasonField } from '../acts/act-form.js';
import { useAnsweredAct } from '../acts/answered-act.js';
import styles from './redrive-dialog.module.css';
import type { RedriveRequest } from './redrive-request.js';
import { redriveText } from './redrive-text.js';

interface RedriveDialogProps {
  readonly request: RedriveRequest;
  readonly onClose: () => void;
}

/** Says what will happen to how many jobs, and reports what did. The number is the store's own count, kept fresh. */
export function RedriveDialog({ request, onClose }: RedriveDialogProps) {
  const [reason, setReason] = useState('');
  const redrive = useRedrive();
  const count = useCount(request);
  const send = useAnsweredAct({
    send: redrive.mutateAsync,
    told: report,
    closed: () => {
      request.onDone?.();
      onClose();
    },
  });
  const submit = () => send(bodyOf(request, reason.trim()));
  return (
    <Dialog open title={titleOf(request)} closeLabel={redriveText.close} onClose={onClose}>
      <ActForm
        error={redrive.error}
        busy={redrive.isPending}
        confirm={redriveText.confirm(count)}
        unavailable={count === 0 ? redriveText.none : undefined}
        onSubmit={submit}
        onClose={onClose}
      >
        <p className={styles.what}>
          {redriveText.what} {request.kind === 'allDead' && redriveText.whatAll}
        </p>
        <Scope request={request} />
        <ReasonField reason={reason} onReason={setReason} />
      </ActForm>
    </Dialog>
  );
}

function useCount(request: RedriveRequest): number {
  const overview = useQuery(overviewQuery(useRefresh(FAST_REFRESH_MS)));
  if (request.kind === 'ids') return request.ids.length;
  const queues = overview.data?.queues ?? [];
  return queues
    .filter((queue) => request.queue === undefined || queue.name === request.queue)
    .reduce((total, queue) => total + queue.counts.dead, 0);
}

function titleOf(request: RedriveRequest): string {
  if (request.kind === 'ids') {
    return request.ids.length === 1 ? redriveText.titleOne : redriveText.titleMany(request.ids.length);
  }
  return request.queue === undefined ? redriveText.titleAll : redriveText.titleAllOf(visibleText(request.queue));
}

function bodyOf(request: RedriveRequest, reason: string): RedrivesBody {
  const why = reason === '' ? {} : { reason };
  if (request.kind === 'ids') return { ids: request.ids, ...why };
  return { allDead: request.queue === undefined ? {} : { queue: request.queue }, ...why };
}

function report({ outcome }: RedrivesAnswer): void {
  const detail = redriveText.skipped(outcome);
  showToast({ tone: 'done', text: redriveText.done(outcome), ...(detail === undefined ? {} : { detail }) });
}

function Scope({ request }: { readonly request: RedriveRequest }) {
  const only = request.kind === 'ids' && request.ids.length === 1 ? request.ids[0] : undefined;
  if (only !== undefined) {
    return (
      <p className={styles.scope}>
        <code>
          <VisibleText text={only} />
        </code>
      </p>
    );
  }
  if (request.kind === 'ids') return null;
  return (
    <p className={styles.scope}>
      {redriveText.scope} <strong>{<VisibleText text={request.queue ?? redriveText.allQueues} />}</strong>
    </p>
  );
}
