import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { VisibleText } from '../../components/visible-text.js';
import { useOpenJob } from '../job/open-job.js';
import styles from './leases.module.css';

interface JobCellProps {
  readonly id: string;
  readonly name: string;
}

export function JobCell({ id, name }: JobCellProps) {
  const { openId, open, hrefOf } = useOpenJob();
  const openHere = (event: MouseEvent) => {
    event.preventDefault();
    open(id);
  };
  return (
    <Link
      href={hrefOf(id)}
      data-row-target=""
      aria-current={openId === id ? 'true' : undefined}
      className={styles.link}
      onClick={openHere}
    >
      <span className={styles.name}>
        <VisibleText text={name} />
      </span>
      <span className={styles.id}>
        <VisibleText text={id} />
      </span>
    </Link>
  );
}
