import { ApiProblem } from '../api/problem.js';
import { Banner } from '../components/banner.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { VisibleText } from '../components/visible-text.js';
import { formatClock } from '../format/time.js';
import { MissingFileError } from './missing-file.js';
import styles from './problem-view.module.css';

const text = {
  couldNotRefresh: (sinceMs: number) => `Could not refresh: this is from ${formatClock(sinceMs)}`,
  retry: 'Try again',
  unexpected: 'The dashboard met an error of its own',
  missingFile: 'A part of the dashboard could not be loaded',
  code: 'Code',
  request: 'Request',
} as const;

interface ProblemProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Over rows that are still shown: they are kept, and it says from when they are. */
export function RefreshProblem({ error, onRetry, sinceMs }: ProblemProps & { readonly sinceMs: number }) {
  return (
    <Banner tone="danger" title={text.couldNotRefresh(sinceMs)} action={<RetryButton onRetry={onRetry} />}>
      <VisibleText text={error.message} lines /> <ProblemFacts error={error} />
    </Banner>
  );
}

interface WholeProblemProps extends ProblemProps {
  /** `h1` where no page has named itself. */
  readonly heading?: 'h1' | 'h2';
}

/** Where there is nothing to show but the problem. */
export function WholeProblem({ error, onRetry, heading: Heading = 'h2' }: WholeProblemProps) {
  const title = titleOf(error);
  return (
    <div role="alert" className={styles.whole}>
      <Heading className={styles.title}>
        <Icon name="warning" />
        <VisibleText text={title} />
      </Heading>
      <p className={styles.detail}>
        <VisibleText text={error.message} lines />
      </p>
      <p className={styles.facts}>
        <ProblemFacts error={error} />
      </p>
      <RetryButton onRetry={onRetry} />
    </div>
  );
}

function titleOf(error: Error): string {
  if (error instanceof ApiProblem) return error.title;
  return error instanceof MissingFileError ? text.missingFile : text.unexpected;
}

function RetryButton({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <Button size="small" onClick={onRetry}>
      {text.retry}
    </Button>
  );
}

/** What to quote to whoever reads the server's log. */
function ProblemFacts({ error }: { readonly error: Error }) {
  if (!(error instanceof ApiProblem)) return null;
  return (
    <span className={styles.facts}>
      {text.code} <code>{error.code}</code>
      {error.requestId !== '' && (
        <>
          {' · '}
          {text.request} <code>{error.requestId}</code>
        </>
      )}
    </span>
  );
}
