import type { ReactNode } from 'react';
import styles from './banner.module.css';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';

interface BannerProps {
  readonly tone: 'danger' | 'caution';
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** A fact that needs a person, above the page and never over it. */
export function Banner({ tone, title, children, action }: BannerProps) {
  return (
    <div role="alert" className={classNames(styles.banner, styles[tone])}>
      <span className={styles.icon}>
        <Icon name="warning" />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {children !== undefined && <div className={styles.detail}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
