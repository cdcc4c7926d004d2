import { useState } from 'react';
import { usePauseQueue } from '../../api/acts.js';
import { Dialog } from '../../components/dialog.js';
import { showToast } from '../../components/toasts.js';
import { visibleText } from '../../format/hostile-text.js';
import { ActForm, ReasonField } from './act-form.js';
import styles from './act-form.module.css';
import { actText } from './act-text.js';
import { useAnsweredAct } from './answered-act.js';
import { useResumeNow } from './resume.js';

export interface PauseRequest {
  readonly kind: 'pause';
  readonly queue: string;
}

interface PauseDialogProps {
  readonly request: PauseRequest;
  readonly onClose: () => void;
}

/** Pausing asks for how long and why: everybody who wonders why nothing runs will read it. */
export function PauseDialog({ request: { queue }, onClose }: PauseDialogProps) {
  const [reason, setReason] = useState('');
  const [forMs, setForMs] = useState('');
  const pause = usePauseQueue();
  const resume = useResumeNow();
  const name = visibleText(queue);
  const send = useAnsweredAct({
    send: pause.mutateAsync,
    told: () => {
      const undo = { label: actText.undo, run: () => resume(queue) };
      showToast({ tone: 'done', text: actText.paused(name), act: undo });
    },
    closed: onClose,
  });
  const submit = () =>
    send({
      queue,
      ...(forMs === '' ? {} : { forMs: Number(forMs) }),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
  return (
    <Dialog open title={actText.pauseTitle(name)} closeLabel={actText.close} onClose={onClose}>
      <ActForm error={pause.error} busy={pause.isPending} confirm={actText.pause} onSubmit={submit} onClose={onClose}>
        <p className={styles.what}>{actText.pauseMeaning}</p>
        <label className={styles.field}>
          <span>{actText.pauseFor}</span>
          <select value={forMs} onChange={(event) => setForMs(event.target.value)}>
            {actText.pauseSpans.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <ReasonField reason={reason} onReason={setReason} />
      </ActForm>
    </Dialog>
  );
}
