import type { JobAnswer } from '@holdfast/contract';
import { useState } from 'react';
import { useClone } from '../../api/acts.js';
import { newRequestId } from '../../api/request-id.js';
import { Dialog } from '../../components/dialog.js';
import { showToast } from '../../components/toasts.js';
import { ActForm, ReasonField } from './act-form.js';
import styles from './act-form.module.css';
import { actText } from './act-text.js';
import { useAnsweredAct } from './answered-act.js';

export interface CloneRequest {
  readonly kind: 'clone';
  readonly job: JobAnswer['job'];
  readonly onDone?: (id: string) => void;
}

interface CloneDialogProps {
  readonly request: CloneRequest;
  readonly onClose: () => void;
}

/** Edit and retry: a new job that is linked to the old one, which is never changed. The payload is sent as it is typed. */
export function CloneDialog({ request: { job, onDone }, onClose }: CloneDialogProps) {
  const [text, setText] = useState(job.payload.text);
  const [reason, setReason] = useState('');
  // One for all tries of this dialog: who tries again without having had an answer makes no second copy.
  const [requestId] = useState(newRequestId);
  const clone = useClone();
  const changed = text !== job.payload.text;
  const problem = changed ? jsonProblem(text) : undefined;
  const send = useAnsweredAct({
    send: clone.mutateAsync,
    told: ({ id }) => showToast({ tone: 'done', text: actText.cloned(id) }),
    closed: ({ id }) => {
      onDone?.(id);
      onClose();
    },
  });
  const submit = () =>
    send({
      id: job.id,
      requestId,
      ...(changed ? { payload: text } : {}),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
  return (
    <Dialog open wide title={actText.cloneTitle} closeLabel={actText.close} onClose={onClose}>
      <ActForm
        error={clone.error}
        busy={clone.isPending}
        confirm={actText.clone}
        repeatable
        unavailable={problem === undefined ? undefined : actText.notJson(problem)}
        onSubmit={submit}
        onClose={onClose}
      >
        <p className={styles.what}>{actText.cloneMeaning}</p>
        {isEditable(job) ? (
          <>
            <label className={styles.field}>
              <span>{actText.payload}</span>
              <textarea
                spellCheck={false}
                value={text}
                aria-invalid={problem !== undefined}
                onChange={(event) => setText(event.target.value)}
              />
            </label>
            <p className={styles.hint} role="status">
              {changed ? actText.changed(linesOf(job.payload.text), linesOf(text)) : actText.unchanged}
            </p>
          </>
        ) : (
          <p className={styles.what}>{actText.truncated}</p>
        )}
        <ReasonField reason={reason} onReason={setReason} />
      </ActForm>
    </Dialog>
  );
}

/** What the page does not hold as a whole, or not as it is, cannot be edited without destroying the rest. */
function isEditable({ payload }: JobAnswer['job']): boolean {
  return payload.encoding === 'text' && !payload.truncated && payload.redacted !== true;
}

function linesOf(text: string): number {
  return text.split('\n').length;
}

/** Where the text stops being JSON, as the browser says it. */
function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
