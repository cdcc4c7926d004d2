import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Nothing to show, and what that means. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.detail}>{children}</div>}
    </div>
  );
}
