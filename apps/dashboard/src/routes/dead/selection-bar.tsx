import { Button } from '../../components/button.js';
import { showToast } from '../../components/toasts.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { useOpenJob } from '../job/open-job.js';
import type { JobSelection } from '../jobs/selection.js';
import { RedriveButton, useRedriveIfAllowed } from '../redrive/redrive-button.js';
import { redriveText } from '../redrive/redrive-text.js';
import { deadText } from './dead-text.js';
import styles from './selection-bar.module.css';

/** As many ids as one request may name. */
const IDS_MAX = 1_000;

interface SelectionBarProps {
  readonly selection: JobSelection;
  readonly onRedriven: () => void;
}

/** Always there, so that the table does not jump when the first job is selected. */
export function SelectionBar({ selection, onRedriven }: SelectionBarProps) {
  const request = { kind: 'ids' as const, ids: selection.ids, onDone: onRedriven };
  useRedriveKey(selection, onRedriven);
  return (
    <section className={styles.bar} aria-label={deadText.title}>
      <span role="status" className={selection.size > 0 ? styles.count : styles.hint}>
        {selection.size > 0 ? deadText.selected(selection.size) : deadText.hint}
      </span>
      {selection.size > 0 && (
        <>
          <RedriveButton
            request={request}
            look="primary"
            size="small"
            label={redriveText.some(selection.size)}
            unavailable={selection.size > IDS_MAX ? redriveText.tooMany : undefined}
          />
          <Button look="quiet" size="small" onClick={selection.clear}>
            {deadText.clear}
          </Button>
        </>
      )}
    </section>
  );
}

/** `r`: the selected jobs, or else the one with focus, or else the open one. Never more than one can see. */
function useRedriveKey(selection: JobSelection, onDone: () => void): void {
  const { openId } = useOpenJob();
  const { redrive, refusal } = useRedriveIfAllowed();
  useShortcuts({
    r: () => {
      const focused = document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset.row ?? openId;
      const ids = selection.size > 0 ? selection.ids : focused === undefined ? [] : [focused];
      if (refusal !== undefined || ids.length === 0) showToast({ tone: 'done', text: refusal ?? deadText.selectFirst });
      else redrive({ kind: 'ids', ids, onDone });
    },
    ...(selection.size > 0 && openId === undefined ? { Escape: selection.clear } : {}),
  });
}
