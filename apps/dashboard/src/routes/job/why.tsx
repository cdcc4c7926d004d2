import type { JobAnswer, WhyReason } from '@holdfast/contract';
import { useReadOnly } from '../../api/meta.js';
import { classNames } from '../../components/class-names.js';
import { Icon, type IconName } from '../../components/icon.js';
import { useServerNow } from '../../live/server-now.js';
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
            <span>{whySentence(reason, nowMs, endsKnown)}</span>
          </li>
        ))}
      </ul>
    </section>
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
