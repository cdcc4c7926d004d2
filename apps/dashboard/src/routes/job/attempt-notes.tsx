import type { Attempt, LogLine } from '@holdfast/contract';
import { ProgressBar } from '../../components/progress-bar.js';
import { ScrollRegion } from '../../components/scroll-region.js';
import { VisibleText } from '../../components/visible-text.js';
import { formatClock, isoTime } from '../../format/time.js';
import styles from './attempt-notes.module.css';
import { jobText } from './job-text.js';

/** What the handler told of its work: how far it is, and its log lines. */
export function AttemptNotes({ attempt, open }: { readonly attempt: Attempt; readonly open: boolean }) {
  const { progress, lines, droppedLines = 0 } = attempt;
  return (
    <>
      {progress !== undefined && <Progress json={progress} />}
      {lines !== undefined && (
        <details className={styles.log} open={open}>
          <summary>{jobText.log(lines.length)}</summary>
          {droppedLines > 0 && <p className={styles.dropped}>{jobText.droppedLines(droppedLines)}</p>}
          <ScrollRegion className={styles.scroll} label={jobText.logOf(attempt.attempt)}>
            <ol className={styles.lines}>
              {lines.map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line keeps its distance from the first that was ever told.
                <Line key={droppedLines + index} line={line} />
              ))}
            </ol>
          </ScrollRegion>
        </details>
      )}
    </>
  );
}

/** A share is drawn; whatever else a handler told is shown as it is. */
function Progress({ json }: { readonly json: string }) {
  const share = shareOf(json);
  return (
    <div className={styles.progress}>
      <span>{jobText.progress}</span>
      {share === undefined ? (
        <code className={styles.value}>
          <VisibleText text={json} />
        </code>
      ) : (
        <>
          <ProgressBar value={share} max={1} label={jobText.progress} />
          <span>{jobText.share(share)}</span>
        </>
      )}
    </div>
  );
}

/** @returns what lies between 0 and 1; `undefined` for all other JSON */
export function shareOf(json: string): number | undefined {
  const share = /^[01](?:\.\d+)?(?:e-\d+)?$|^\d(?:\.\d+)?e-\d+$/i.test(json) ? Number(json) : Number.NaN;
  return share >= 0 && share <= 1 ? share : undefined;
}

function Line({ line }: { readonly line: LogLine }) {
  return (
    <li>
      <time dateTime={isoTime(line.atMs)}>{formatClock(line.atMs)}</time> <VisibleText text={line.text} lines />
    </li>
  );
}
