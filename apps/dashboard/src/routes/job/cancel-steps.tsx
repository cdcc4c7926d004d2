import type { CancelledRun } from '@holdfast/contract';
import { classNames } from '../../components/class-names.js';
import { VisibleText } from '../../components/visible-text.js';
import { formatClock, isoTime } from '../../format/time.js';
import { useServerNow } from '../../live/server-now.js';
import styles from './cancel-steps.module.css';
import { type CancelStep, cancelStepsOf } from './cancel-steps-text.js';
import { jobText } from './job-text.js';

/** How far the cancel of a running job has come: asked for, told, and what the handler did then. */
export function CancelSteps({ run }: { readonly run: CancelledRun }) {
  const nowMs = useServerNow();
  return (
    <ol className={styles.steps} aria-label={jobText.cancelSteps.title}>
      {cancelStepsOf(run, nowMs).map((step) => (
        <li key={step.text} className={classNames(styles.step, styles[step.tone])}>
          <VisibleText text={step.text} /> <When step={step} />
        </li>
      ))}
    </ol>
  );
}

function When({ step: { atMs, after } }: { readonly step: CancelStep }) {
  return (
    <span className={styles.when}>
      {atMs !== undefined && <time dateTime={isoTime(atMs)}>{formatClock(atMs)}</time>}
      {atMs !== undefined && after !== undefined && ' · '}
      {after}
    </span>
  );
}
