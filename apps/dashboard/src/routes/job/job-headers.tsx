import type { JobHeaders as Headers } from '@holdfast/contract';
import { VisibleText } from '../../components/visible-text.js';
import styles from './job-panel.module.css';
import { jobText } from './job-text.js';

/** The texts that travel beside the payload, such as a trace context. */
export function JobHeaders({ headers }: { readonly headers: Headers }) {
  return (
    <div className={styles.section}>
      <h3 className={styles.title}>{jobText.headers}</h3>
      <dl className={styles.headers}>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name} className={styles.headerLine}>
            <dt>
              <VisibleText text={name} />
            </dt>
            <dd>
              <VisibleText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
