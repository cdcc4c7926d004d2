import { type ReactNode, useEffect, useRef } from 'react';
import styles from './beside-job.module.css';
import { JobPanel } from './job-panel.js';
import { useOpenJob } from './open-job.js';

/** A page with the open job beside it; in narrow windows the job covers the page. Closing gives focus back to its row. */
export function BesideJob({ children }: { readonly children: ReactNode }) {
  const { openId, close } = useOpenJob();
  const lastId = useRef(openId);
  useEffect(() => {
    if (openId === undefined && lastId.current !== undefined) focusRow(lastId.current);
    lastId.current = openId;
  }, [openId]);
  return (
    <div className={openId === undefined ? undefined : styles.split}>
      <div className={styles.page}>{children}</div>
      {openId !== undefined && <JobPanel id={openId} onClose={close} />}
    </div>
  );
}

function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(id)}"] [data-row-target]`)?.focus();
}
