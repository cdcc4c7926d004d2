import { Link } from 'wouter';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { VisibleText } from '../../components/visible-text.js';
import type { Attention } from './attention.js';
import styles from './overview.module.css';
import { overviewText } from './overview-text.js';

export function AttentionList({ lines }: { readonly lines: readonly Attention[] }) {
  return (
    <section className={styles.attention} aria-label={overviewText.attention}>
      {lines.length === 0 ? (
        <p className={styles.quiet}>
          <Icon name="completed" size={14} />
          {overviewText.quiet}
        </p>
      ) : (
        <ul>
          {lines.map((line) => (
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
    </section>
  );
}
