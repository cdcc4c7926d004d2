import type { JobAnswer } from '@holdfast/contract';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { VisibleText } from '../../components/visible-text.js';
import { formatCount } from '../../format/number.js';
import { formatAge, formatDateTime, isoTime } from '../../format/time.js';
import { useServerNow } from '../../live/server-now.js';
import { LeaseEnd } from '../leases/lease-end.js';
import styles from './job-panel.module.css';
import { jobText } from './job-text.js';
import { useOpenJob } from './open-job.js';

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
      <LeaseFacts job={job} nowMs={nowMs} />
      <EndFacts job={job} />
      <OriginFacts job={job} />
    </dl>
  );
}

function LeaseFacts({ job, nowMs }: JobFactsProps) {
  if (job.lease === undefined) return null;
  return (
    <>
      <Fact label={facts.heldSince}>
        <Moment atMs={job.lease.leasedAtMs} />
      </Fact>
      <Fact label={facts.worker}>
        <code>
          <VisibleText text={job.lease.worker} />
        </code>
      </Fact>
      <Fact label={facts.lease} note={jobText.leaseNote}>
        <LeaseEnd endsAtMs={nowMs + job.lease.remainingMs} lengthMs={job.lease.leaseMs} overdue={jobText.overdue} />
      </Fact>
    </>
  );
}

/** What will end the job, has ended it, or will make the store forget it. */
function EndFacts({ job }: { readonly job: JobAnswer['job'] }) {
  return (
    <>
      {job.timeoutMs !== undefined && <Fact label={facts.timeout}>{jobText.timeout(job.timeoutMs)}</Fact>}
      {job.expiresAtMs !== undefined && (
        <Fact label={facts.expires} note={jobText.expiresNote}>
          <Moment atMs={job.expiresAtMs} />
        </Fact>
      )}
      {job.cancelCause !== undefined && <Fact label={facts.cancelled}>{jobText.cancelCauses[job.cancelCause]}</Fact>}
      {job.keptUntilMs !== undefined && (
        <Fact label={facts.kept} note={jobText.keptNote}>
          <Moment atMs={job.keptUntilMs} />
        </Fact>
      )}
    </>
  );
}

function OriginFacts({ job }: { readonly job: JobAnswer['job'] }) {
  const { hrefOf } = useOpenJob();
  return (
    <>
      {job.dedupeKey !== undefined && (
        <Fact label={facts.dedupeKey}>
          <code>
            <VisibleText text={job.dedupeKey} />
          </code>
        </Fact>
      )}
      {job.clonedFrom !== undefined && (
        <Fact label={facts.clonedFrom}>
          <Link href={hrefOf(job.clonedFrom)}>
            <code>
              <VisibleText text={job.clonedFrom} />
            </code>
          </Link>
        </Fact>
      )}
    </>
  );
}

interface FactProps {
  readonly label: string;
  readonly note?: string;
  readonly children: ReactNode;
}

function Fact({ label, note, children }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>
        {children}
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </dd>
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
