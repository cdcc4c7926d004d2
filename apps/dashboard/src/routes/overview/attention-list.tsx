import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { VisibleText } from '../../components/visible-text.js';
import type { Attention } from './attention.js';
import styles from './overview.module.css';
import { overviewText } from './overview-text.js';

/** More than a glance would push the queues out of sight. */
const AT_FIRST = 6;

export function AttentionList({ lines }: { readonly lines: readonly Attention[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(0, AT_FIRST);
  return (
    <section className={styles.attention} aria-label={overviewText.attention}>
      {lines.length === 0 ? (
        <p className={styles.quiet}>
          <Icon name="completed" size={14} />
          {overviewText.quiet}
        </p>
      ) : (
        <ul>
          {shown.map((line) => (
            <li key={line.text}>
              <Link href={line.href} className={classNames(styles.line, styles[line.tone])}>
                <Icon name="warning" size={14} />
                <span>
                  <VisibleText text={line.text} />
                </span>
                <Icon name="next" size={12} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {shown.length < lines.length && (
        <Button look="quiet" size="small" onClick={() => setAll(true)}>
          {overviewText.moreAttention(lines.length - shown.length)}
        </Button>
      )}
    </section>
  );
}
