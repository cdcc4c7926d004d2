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

const PRIORITY_MAX = 4_294_967_295;

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
  const apply = useJobAct();
  const submit = () =>
    apply.mutate(
      {
        id: job.id,
        act,
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        ...(act === 'reprioritise' ? { priority: Number(priority) } : {}),
      },
      {
        onSuccess: () => {
          showToast({ tone: 'done', text: actText.doneOne(act) });
          onDone?.();
          onClose();
        },
      },
    );
  return (
    <Dialog open title={actText.oneJob[act]} closeLabel={actText.close} onClose={onClose}>
      <ActForm
        error={apply.error}
        busy={apply.isPending}
        confirm={actWords[act].verb}
        danger={act === 'remove' || act === 'cancel'}
        unavailable={act === 'reprioritise' && !isPriority(priority) ? actText.priority : undefined}
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
        {act === 'reprioritise' && (
          <label className={styles.field}>
            <span>{actText.priority}</span>
            <input inputMode="numeric" value={priority} onChange={(event) => setPriority(event.target.value)} />
          </label>
        )}
        <ReasonField reason={reason} onReason={setReason} />
      </ActForm>
    </Dialog>
  );
}

function isPriority(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= PRIORITY_MAX;
}
