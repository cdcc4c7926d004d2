import type { ReactNode } from 'react';
import styles from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

/** The page's one first-level heading, what it is about in numbers, and what can be done with all of it. */
export function PageHeader({ title, note, children }: PageHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <h1>{title}</h1>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      {children !== undefined && <div className={styles.tools}>{children}</div>}
    </header>
  );
}
