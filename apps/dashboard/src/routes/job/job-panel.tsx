import type { JobAnswer } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { jobQuery } from '../../api/jobs.js';
import { useActs } from '../../api/meta.js';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy-button.js';
import { EmptyState } from '../../components/empty-state.js';
import { Icon } from '../../components/icon.js';
import { PayloadView } from '../../components/payload-view.js';
import { Skeleton } from '../../components/skeleton.js';
import { StateBadge, shownState } from '../../components/state-badge.js';
import { VisibleText } from '../../components/visible-text.js';
import { Answered } from '../../frame/answered.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { FAST_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { apiUrl } from '../../mount.js';
import { JobActBar } from './job-act-bar.js';
import { JobFacts } from './job-facts.js';
import { JobHeaders } from './job-headers.js';
import styles from './job-panel.module.css';
import { jobText } from './job-text.js';
import { JobTimeline } from './job-timeline.js';
import { Why } from './why.js';

interface JobPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Everything about one job, beside the list it was opened from. Takes focus once, when it opens. */
export function JobPanel({ id, onClose }: JobPanelProps) {
  const job = useQuery(jobQuery(id, useRefresh(FAST_REFRESH_MS)));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useShortcuts({ Escape: onClose });
  return (
    <aside className={styles.panel} aria-label={jobText.panel}>
      <PanelHeader id={id} job={job.data?.job} heading={heading} onClose={onClose} />
      <div className={styles.body}>
        <Answered
          key={id}
          query={job}
          loading={<Skeleton rows={6} label={jobText.loading} />}
          missing={<EmptyState title={jobText.missingTitle}>{jobText.missingNote}</EmptyState>}
        >
          {(answer) => <JobDetails answer={answer} />}
        </Answered>
      </div>
    </aside>
  );
}

interface PanelHeaderProps extends JobPanelProps {
  readonly job: JobAnswer['job'] | undefined;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

function PanelHeader({ id, job, heading, onClose }: PanelHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.titleRow}>
        <h2 ref={heading} tabIndex={-1} className={styles.name}>
          <VisibleText text={job?.name ?? jobText.panel} />
        </h2>
        <Button look="quiet" size="small" square aria-label={jobText.close} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <div className={styles.idRow}>
        {job !== undefined && <StateBadge state={shownState(job)} />}
        <code className={styles.id}>
          <VisibleText text={id} />
        </code>
        <CopyButton text={id} label={jobText.copyId} copiedLabel={jobText.copied} />
      </div>
      {job !== undefined && <JobActBar job={job} />}
    </header>
  );
}

function JobDetails({ answer }: { readonly answer: JobAnswer }) {
  const { job } = answer;
  const acts = useActs();
  const wholeAt = (part: 'payload' | 'result') =>
    acts && job[part]?.truncated === true ? apiUrl(['jobs', job.id, part]).href : undefined;
  return (
    <>
      {answer.why !== undefined && answer.why.length > 0 && <Why job={job} why={answer.why} />}
      <JobFacts job={job} nowMs={answer.serverTimeMs} />
      <JobTimeline job={job} cancelledRun={answer.cancelledRun} />
      <div className={styles.section}>
        <PayloadView
          title={jobText.payload}
          size={jobText.bytes(job.payload.bytes)}
          payload={job.payload}
          wholeAt={wholeAt('payload')}
          text={jobText.payloadView}
        />
      </div>
      {job.headers !== undefined && <JobHeaders headers={job.headers} />}
      {job.result !== undefined && (
        <div className={styles.section}>
          <PayloadView
            title={jobText.result}
            size={jobText.bytes(job.result.bytes)}
            payload={job.result}
            wholeAt={wholeAt('result')}
            text={jobText.payloadView}
          />
        </div>
      )}
      {job.record !== undefined && (
        <div className={styles.section}>
          <h3 className={styles.title}>{jobText.record}</h3>
          <p className={styles.record}>
            <code>
              <VisibleText text={job.record.file} />
            </code>{' '}
            {jobText.recordAt(job.record.offset, job.record.bytes)}
          </p>
        </div>
      )}
    </>
  );
}
