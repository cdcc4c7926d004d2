import type { JobAnswer, WhyReason } from '@holdfast/contract';
import { useActs, useReadOnly } from '../../api/meta.js';
import { classNames } from '../../components/class-names.js';
import { Icon, type IconName } from '../../components/icon.js';
import { visibleText } from '../../format/hostile-text.js';
import { useServerNow } from '../../live/server-now.js';
import { ActButton } from '../acts/act-button.js';
import { actText } from '../acts/act-text.js';
import { useResumeNow } from '../acts/resume.js';
import styles from './why.module.css';
import { whySentence, whyText } from './why-text.js';

/** The question that everybody asks first, answered from the store's own facts: the reason that matters most on top. */
export function Why({ job, why }: { readonly job: JobAnswer['job']; readonly why: readonly WhyReason[] }) {
  const nowMs = useServerNow();
  const endsKnown = useReadOnly() === undefined;
  return (
    <section className={styles.why} aria-label={job.state === 'leased' ? whyText.running : whyText.title}>
      <h3 className={styles.title}>{job.state === 'leased' ? whyText.running : whyText.title}</h3>
      <ul>
        {why.map((reason, index) => (
          <li key={reason.kind} className={classNames(styles.reason, index === 0 && styles.first)}>
            <Icon name={ICONS[reason.kind] ?? 'help'} size={14} />
            <span>
              {whySentence(reason, nowMs, endsKnown)}
              {reason.kind === 'queuePaused' && <ResumeHere queue={job.queue} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where it is told that the queue is paused: whoever decides to go on need not look for it elsewhere. */
function ResumeHere({ queue }: { readonly queue: string }) {
  const acting = useActs();
  const resume = useResumeNow();
  if (!acting) return null;
  return (
    <span className={styles.resume}>
      <ActButton
        needs="operator"
        size="small"
        aria-label={actText.resumeQueue(visibleText(queue))}
        onAct={() => resume(queue)}
      >
        <Icon name="play" size={12} />
        {actText.resume}
      </ActButton>
    </span>
  );
}

const ICONS: Readonly<Record<WhyReason['kind'], IconName>> = {
  storeDown: 'storage',
  queuePaused: 'pause',
  notDue: 'scheduled',
  retry: 'retrying',
  noHandler: 'warning',
  workersBusy: 'leased',
  behind: 'jobs',
  next: 'next',
  leased: 'leased',
};
