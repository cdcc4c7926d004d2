import type { AttentionAnswer } from '@holdfast/contract';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { useServerNow } from '../../live/server-now.js';
import { type AttentionLine, attentionLine } from './attention-line.js';
import styles from './overview.module.css';
import { overviewText } from './overview-text.js';

/** More than a glance would push the queues out of sight. */
const AT_FIRST = 6;

interface AttentionListProps {
  /** Absent until the server has answered. */
  readonly answer: AttentionAnswer | undefined;
  readonly failed: boolean;
}

export function AttentionList({ answer, failed }: AttentionListProps) {
  return (
    <section
      className={styles.attention}
      aria-label={overviewText.attention}
      aria-busy={answer === undefined && !failed}
    >
      {/* Also over an answer: that nothing was wrong then says nothing of now. */}
      {failed && <p className={styles.quiet}>{overviewText.attentionUnknown}</p>}
      {answer === undefined
        ? !failed && <p className={styles.quiet}>{overviewText.attentionLoading}</p>
        : answer.items.length > 0 && <AttentionLines answer={answer} />}
      {answer?.items.length === 0 && !failed && (
        <p className={styles.quiet}>
          <Icon name="completed" size={14} />
          {overviewText.quiet}
        </p>
      )}
    </section>
  );
}

function AttentionLines({ answer: { items, total } }: { readonly answer: AttentionAnswer }) {
  const [all, setAll] = useState(false);
  const nowMs = useServerNow();
  const lines = items.map((item) => attentionLine(item, nowMs));
  const shown = all ? lines : lines.slice(0, AT_FIRST);
  return (
    <>
      <ul>
        {shown.map((line) => (
          <li key={`${line.href} ${line.text}`}>
            <OneLine line={line} />
          </li>
        ))}
      </ul>
      {shown.length < lines.length ? (
        <Button look="quiet" size="small" onClick={() => setAll(true)}>
          {overviewText.moreAttention(lines.length - shown.length)}
        </Button>
      ) : (
        total > lines.length && <p className={styles.quiet}>{overviewText.attentionNotListed(total - lines.length)}</p>
      )}
    </>
  );
}

function OneLine({ line }: { readonly line: AttentionLine }) {
  return (
    <Link href={line.href} className={classNames(styles.line, styles[line.tone])} title={visibleText(line.text)}>
      <Icon name="warning" size={14} />
      <span className={styles.words}>
        <VisibleText text={line.text} />
      </span>
      <Icon name="next" size={12} />
    </Link>
  );
}
