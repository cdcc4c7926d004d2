import type { QueueSummary } from '@holdfast/contract';
import { useFeature } from '../../api/meta.js';
import { Icon } from '../../components/icon.js';
import { visibleText } from '../../format/hostile-text.js';
import { ActButton } from '../acts/act-button.js';
import { actText } from '../acts/act-text.js';
import { useAskToAct } from '../acts/acts-provider.js';
import { useResumeNow } from '../acts/resume.js';
import { jobsText } from '../jobs/jobs-text.js';
import styles from './overview.module.css';
import { overviewText } from './overview-text.js';

/** Pause and resume stand in the row: on the worst day nobody looks for a menu. */
export function QueueActs({ queue }: { readonly queue: QueueSummary }) {
  const ask = useAskToAct();
  const resume = useResumeNow();
  const planned = useFeature('bulk');
  const { paused } = queue;
  const name = visibleText(queue.name);
  return (
    <>
      <span className={styles.wide}>
        <ActButton
          needs="operator"
          look="quiet"
          size="small"
          square
          aria-label={overviewText.drain(name)}
          title={overviewText.drain(name)}
          unavailable={
            planned
              ? queue.counts.ready + queue.counts.scheduled === 0
                ? overviewText.nothingToDrain
                : undefined
              : jobsText.notPlanned
          }
          onAct={() =>
            ask({ kind: 'bulk', target: { act: { kind: 'drain' }, selection: { filter: { queue: queue.name } } } })
          }
        >
          <Icon name="drain" size={14} />
        </ActButton>
      </span>
      <ActButton
        needs="operator"
        look="quiet"
        size="small"
        square
        aria-label={paused === undefined ? actText.pauseQueue(name) : actText.resumeQueue(name)}
        title={paused === undefined ? actText.pauseQueue(name) : actText.resumeQueue(name)}
        onAct={() => (paused === undefined ? ask({ kind: 'pause', queue: queue.name }) : resume(queue.name))}
      >
        <Icon name={paused === undefined ? 'pause' : 'play'} size={14} />
      </ActButton>
    </>
  );
}
