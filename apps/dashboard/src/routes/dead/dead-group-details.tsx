import type { DeadGroup } from '@holdfast/contract';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { VisibleText } from '../../components/visible-text.js';
import { formatCount } from '../../format/number.js';
import { Moment } from '../job/job-facts.js';
import { useOpenJob } from '../job/open-job.js';
import styles from './dead-groups.module.css';
import { deadText } from './dead-text.js';

/** What is known of an error beyond its line. */
export function DeadGroupDetails({ group }: { readonly group: DeadGroup }) {
  const { hrefOf } = useOpenJob();
  return (
    <dl className={styles.facts}>
      <Fact label={deadText.since}>
        <Moment atMs={group.firstDeadAtMs} />
      </Fact>
      <Fact label={deadText.until}>
        <Moment atMs={group.lastDeadAtMs} />
      </Fact>
      <Fact label={deadText.names}>
        {group.names.map(({ name, count }, index) => (
          <span key={name}>
            {index > 0 && ', '}
            <VisibleText text={name} /> {formatCount(count)}
          </span>
        ))}
      </Fact>
      {group.samples.length > 0 && (
        <Fact label={deadText.samples}>
          {group.samples.map((id) => (
            <Link key={id} href={hrefOf(id)} className={styles.sample}>
              <code>
                <VisibleText text={id} />
              </code>
            </Link>
          ))}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
