import type { JobAnswer } from '@holdfast/contract';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Countdown } from '../../components/countdown.js';
import { VisibleText } from '../../components/visible-text.js';
import { formatCount } from '../../format/number.js';
import { formatAge, formatDateTime, isoTime } from '../../format/time.js';
import { useServerNow } from '../../live/server-now.js';
import styles from './job-panel.module.css';
import { jobText } from './job-text.js';

const { facts } = jobText;

interface JobFactsProps {
  readonly job: JobAnswer['job'];
  /** Server time of the answer: `remainingMs` counts from it. */
  readonly nowMs: number;
}

export function JobFacts({ job, nowMs }: JobFactsProps) {
  return (
    <dl className={styles.facts}>
      <Fact label={facts.queue}>
        <Link href={`/jobs?queue=${encodeURIComponent(job.queue)}`}>
          <VisibleText text={job.queue} />
        </Link>
      </Fact>
      <Fact label={facts.attempts}>{jobText.attempts(job.attempts, job.maxAttempts)}</Fact>
      <Fact label={facts.priority}>{formatCount(job.priority)}</Fact>
      <Fact label={facts.enqueued}>
        <Moment atMs={job.enqueuedAtMs} />
      </Fact>
      <Fact label={job.state === 'scheduled' ? facts.due : facts.couldStart}>
        <Moment atMs={job.runAtMs} />
      </Fact>
      <Fact label={facts.changed}>
        <Moment atMs={job.updatedAtMs} />
      </Fact>
      {job.lease !== undefined && (
        <>
          <Fact label={facts.worker}>
            <code>
              <VisibleText text={job.lease.worker} />
            </code>
          </Fact>
          <Fact label={facts.lease}>
            <Countdown
              endsAtMs={nowMs + job.lease.remainingMs}
              lengthMs={job.lease.leaseMs}
              overdue={jobText.overdue}
            />
            <span className={styles.note}>{jobText.leaseNote}</span>
          </Fact>
        </>
      )}
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The exact time, and how far it is from now in either direction. */
export function Moment({ atMs }: { readonly atMs: number }) {
  const nowMs = useServerNow();
  const distance = atMs > nowMs ? `in ${formatAge(atMs - nowMs)}` : `${formatAge(nowMs - atMs)} ago`;
  return (
    <time dateTime={isoTime(atMs)}>
      {formatDateTime(atMs)} <span className={styles.muted}>· {distance}</span>
    </time>
  );
}
