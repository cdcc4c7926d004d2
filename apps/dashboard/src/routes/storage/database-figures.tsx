import type { StorageAnswer } from '@holdfast/contract';
import { Figure, Figures } from '../../components/figure.js';
import { VisibleText } from '../../components/visible-text.js';
import { formatBytes } from '../../format/number.js';
import { useFreshness } from '../../live/freshness.js';
import styles from './storage.module.css';
import { HealthFigure } from './storage-figures.js';
import { storageText } from './storage-text.js';

const { figures } = storageText;

/** A store without a log of its own has no segments, commits or compaction: only where it is, and how large. */
export function DatabaseFigures({ answer: { health, report } }: { readonly answer: StorageAnswer }) {
  const dimmed = useFreshness().kind === 'stale';
  return (
    <>
      <Figures columns="three" dimmed={dimmed}>
        <HealthFigure health={health} />
        <Figure
          label={figures.kind}
          value={storageText.kinds[report.kind] ?? <VisibleText text={report.kind} />}
          note={<VisibleText text={report.location} />}
        />
        <Figure label={figures.bytes} value={formatBytes(report.bytes)} />
      </Figures>
      <p className={styles.note}>{storageText.databaseNote}</p>
    </>
  );
}
