import type { JobAnswer } from '@holdfast/contract';
import { useLocation } from 'wouter';
import { useActs, useFeature } from '../../api/meta.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { ActButton } from '../acts/act-button.js';
import { actText, actWords } from '../acts/act-text.js';
import { useAskToAct } from '../acts/acts-provider.js';
import { roleFor, useActsFor } from '../acts/job-acts.js';
import { isOwnQueue } from '../acts/own-queue.js';
import { RedriveButton, useRedriveIfAllowed } from '../redrive/redrive-button.js';
import { redriveText } from '../redrive/redrive-text.js';
import styles from './job-panel.module.css';
import { jobText } from './job-text.js';
import { useOpenJob } from './open-job.js';

/** What can be done to this job in its state. A server that cannot plan knows only how to redrive. */
export function JobActBar({ job }: { readonly job: JobAnswer['job'] }) {
  const ask = useAskToAct();
  const acting = useActs();
  const cloning = useFeature('clone');
  const acts = useActsFor(job.state);
  const { open } = useOpenJob();
  useRedriveKey(job);
  if (isOwnQueue(job.queue)) return <p className={styles.own}>{jobText.own}</p>;
  if (!acting) return job.state === 'dead' ? <OnlyRedrive id={job.id} /> : null;
  return (
    <div className={styles.acts}>
      {acts.map((act) => (
        <ActButton
          key={act}
          needs={roleFor(act)}
          size="small"
          look={act === 'redrive' || act === 'runNow' ? 'primary' : 'plain'}
          onAct={() => ask({ kind: 'job', act, job })}
        >
          {actWords[act].verb}
        </ActButton>
      ))}
      {cloning && (
        <ActButton needs={roleFor('clone')} size="small" onAct={() => ask({ kind: 'clone', job, onDone: open })}>
          {actText.editShort}
        </ActButton>
      )}
    </div>
  );
}

function OnlyRedrive({ id }: { readonly id: string }) {
  return (
    <div className={styles.acts}>
      <RedriveButton request={{ kind: 'ids', ids: [id] }} size="small" look="primary" label={redriveText.one} />
    </div>
  );
}

/** On pages with a selection that has the key; elsewhere `r` means this job. */
function useRedriveKey({ id, queue, state }: JobAnswer['job']): void {
  const [path] = useLocation();
  const { redrive } = useRedriveIfAllowed();
  const redrivable = state === 'dead' && !isOwnQueue(queue);
  useShortcuts(path === '/leases' && redrivable ? { r: () => redrive({ kind: 'ids', ids: [id] }) } : {});
}
