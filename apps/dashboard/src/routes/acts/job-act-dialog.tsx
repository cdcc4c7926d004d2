import type { JobRow } from '@holdfast/contract';
import { useState } from 'react';
import { type JobActKind, useJobAct } from '../../api/acts.js';
import { Dialog } from '../../components/dialog.js';
import { StateBadge, shownState } from '../../components/state-badge.js';
import { showToast } from '../../components/toasts.js';
import { VisibleText } from '../../components/visible-text.js';
import { ActForm, ReasonField } from './act-form.js';
import styles from './act-form.module.css';
import { actText, actWords } from './act-text.js';
import { useAnsweredAct } from './answered-act.js';
import { isPriority, PriorityField } from './priority-field.js';
import { QueueField } from './queue-field.js';

export interface JobActRequest {
  readonly kind: 'job';
  readonly act: JobActKind;
  readonly job: Pick<JobRow, 'id' | 'name' | 'queue' | 'state' | 'attempts' | 'priority'>;
  readonly onDone?: () => void;
}

interface JobActDialogProps {
  readonly request: JobActRequest;
  readonly onClose: () => void;
}

/** One act on one job, with the reason that its history will give. */
export function JobActDialog({ request, onClose }: JobActDialogProps) {
  const { act, job, onDone } = request;
  const [reason, setReason] = useState('');
  const [priority, setPriority] = useState(String(job.priority));
  const [queue, setQueue] = useState('');
  const apply = useJobAct();
  const send = useAnsweredAct({
    send: apply.mutateAsync,
    told: () => showToast({ tone: 'done', text: actText.doneOne(act) }),
    closed: () => {
      onDone?.();
      onClose();
    },
  });
  const submit = () =>
    send({
      id: job.id,
      act,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(act === 'reprioritise' ? { priority: Number(priority) } : {}),
      ...(act === 'transfer' ? { queue } : {}),
    });
  return (
    <Dialog open title={actText.oneJob[act]} closeLabel={actText.close} onClose={onClose}>
      <ActForm
        error={apply.error}
        busy={apply.isPending}
        confirm={actWords[act].verb}
        danger={act === 'remove' || act === 'cancel'}
        unavailable={lackOf(request, priority, queue)}
        onSubmit={submit}
        onClose={onClose}
      >
        <p className={styles.what}>{actText.oneMeaning[act]}</p>
        <p className={styles.scope}>
          <StateBadge state={shownState(job)} /> <strong>{<VisibleText text={job.name} />}</strong>{' '}
          <code>
            <VisibleText text={job.id} />
          </code>
        </p>
        {act === 'reprioritise' && <PriorityField priority={priority} onPriority={setPriority} />}
        {act === 'transfer' && <QueueField queue={queue} onQueue={setQueue} />}
        <ReasonField reason={reason} isFirst={act !== 'reprioritise' && act !== 'transfer'} onReason={setReason} />
      </ActForm>
    </Dialog>
  );
}

/** What is still missing before it can be confirmed. */
function lackOf({ act, job }: JobActRequest, priority: string, queue: string): string | undefined {
  if (act === 'reprioritise') return isPriority(priority) ? undefined : actText.priority;
  if (act !== 'transfer') return undefined;
  return queue === '' ? actText.queueFirst : queue === job.queue ? actText.sameQueue : undefined;
}
