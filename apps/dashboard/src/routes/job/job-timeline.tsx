import type { Attempt, JobAnswer, JobError, OperatorAct } from '@holdfast/contract';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { CopyButton } from '../../components/copy-button.js';
import { ScrollRegion } from '../../components/scroll-region.js';
import { VisibleText } from '../../components/visible-text.js';
import { AttemptNotes } from './attempt-notes.js';
import { CancelSteps } from './cancel-steps.js';
import { Moment } from './job-facts.js';
import { jobText } from './job-text.js';
import styles from './job-timeline.module.css';

/** A job can have been tried thousands of times; the latest are what matters first. */
const SHOWN_FIRST = 20;

type Entry = { readonly atMs: number } & ({ readonly attempt: Attempt } | { readonly act: OperatorAct });

interface JobTimelineProps {
  readonly job: JobAnswer['job'];
  readonly cancelledRun: JobAnswer['cancelledRun'];
}

/** What happened to the job, the latest on top: attempts, and what operators did between them. */
export function JobTimeline({ job, cancelledRun }: JobTimelineProps) {
  const [all, setAll] = useState(false);
  const entries = entriesOf(job);
  const shown = all ? entries : entries.slice(0, SHOWN_FIRST);
  return (
    <div className={styles.section}>
      <h3 className={styles.title}>{jobText.timeline}</h3>
      {entries.length === 0 && <p className={styles.none}>{jobText.noAttempts}</p>}
      <ol className={styles.entries}>
        {shown.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added, so a place from the start is an identity.
          <li key={entries.length - index} className={styles.entry}>
            {'act' in entry ? (
              <ActEntry act={entry.act} />
            ) : (
              <AttemptEntry attempt={entry.attempt} open={index === 0}>
                {entry.attempt.attempt === cancelledRun?.attempt && entry.attempt === job.attemptLog.at(-1) && (
                  <CancelSteps run={cancelledRun} />
                )}
              </AttemptEntry>
            )}
          </li>
        ))}
      </ol>
      {shown.length < entries.length && (
        <Button look="quiet" size="small" onClick={() => setAll(true)}>
          {jobText.earlier(entries.length - shown.length)}
        </Button>
      )}
    </div>
  );
}

function entriesOf(job: JobAnswer['job']): readonly Entry[] {
  const attempts = job.attemptLog.map((attempt) => ({ atMs: attempt.startedAtMs, attempt }));
  const acts = job.acts.map((act) => ({ atMs: act.atMs, act }));
  return [...attempts, ...acts].toSorted((a, b) => a.atMs - b.atMs).toReversed();
}

function ActEntry({ act }: { readonly act: OperatorAct }) {
  return (
    <>
      <span className={classNames(styles.dot, styles.act)} aria-hidden="true" />
      <p className={styles.head}>
        <strong>
          <VisibleText text={jobText.act(act)} />
        </strong>
      </p>
      <p className={styles.when}>
        <Moment atMs={act.atMs} />
      </p>
      {act.reason !== undefined && (
        <p className={styles.reason}>
          <VisibleText text={act.reason} />
        </p>
      )}
    </>
  );
}

interface AttemptEntryProps {
  readonly attempt: Attempt;
  readonly open: boolean;
  /** What is known of it beside. */
  readonly children: ReactNode;
}

function AttemptEntry({ attempt, open, children }: AttemptEntryProps) {
  return (
    <>
      <span className={classNames(styles.dot, styles[attempt.outcome])} aria-hidden="true" />
      <p className={styles.head}>
        <strong>{jobText.attempt(attempt.attempt)}</strong>{' '}
        <span className={classNames(styles.outcome, styles[attempt.outcome])}>{jobText.outcomes[attempt.outcome]}</span>
        {attempt.endedAtMs !== undefined && (
          <span className={styles.muted}> {jobText.took(attempt.endedAtMs - attempt.startedAtMs)}</span>
        )}
      </p>
      <p className={styles.when}>
        <Moment atMs={attempt.startedAtMs} />
        {' · '}
        <code className={styles.worker}>
          <VisibleText text={attempt.worker} />
        </code>
      </p>
      {children}
      <AttemptNotes attempt={attempt} open={open} />
      {attempt.error !== undefined && <AttemptError attempt={attempt.attempt} error={attempt.error} open={open} />}
    </>
  );
}

interface AttemptErrorProps {
  readonly attempt: number;
  readonly error: JobError;
  readonly open: boolean;
}

function AttemptError({ attempt, error, open }: AttemptErrorProps) {
  return (
    <div className={styles.error}>
      <p className={styles.message}>
        <span className={styles.class}>
          <VisibleText text={error.class} />
        </span>{' '}
        <VisibleText text={error.message} lines />
      </p>
      {error.stack !== undefined && (
        <details className={styles.stack} open={open}>
          <summary>{jobText.stack}</summary>
          <div className={styles.frames}>
            <ScrollRegion className={styles.trace} label={jobText.stackOf(attempt)}>
              <pre>
                <VisibleText text={error.stack} lines />
              </pre>
            </ScrollRegion>
            <span className={styles.copy}>
              <CopyButton text={error.stack} label={jobText.payloadView.copy} copiedLabel={jobText.copied} />
            </span>
          </div>
        </details>
      )}
    </div>
  );
}
