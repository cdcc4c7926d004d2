import { visibleText } from '../../format/hostile-text.js';
import { jobsText } from './jobs-text.js';
import type { JobSelection } from './selection.js';
import styles from './selection-box.module.css';

interface SelectionBoxProps {
  readonly id: string;
  /** The ids on the page in their order, for a range with Shift. */
  readonly ids: readonly string[];
  readonly selection: JobSelection;
}

export function SelectionBox({ id, ids, selection }: SelectionBoxProps) {
  return (
    <span className={styles.target}>
      <input
        type="checkbox"
        className={styles.box}
        checked={selection.has(id)}
        aria-label={jobsText.select(visibleText(id))}
        onChange={() => undefined}
        onClick={(event) => (event.shiftKey ? selection.toggleRange(id, ids) : selection.toggle(id))}
      />
    </span>
  );
}

export function SelectPageBox({ ids, selection }: Omit<SelectionBoxProps, 'id'>) {
  const selected = ids.filter(selection.has).length;
  return (
    <span className={styles.target}>
      <input
        type="checkbox"
        className={styles.box}
        checked={selected === ids.length}
        aria-label={jobsText.selectPage}
        ref={(box) => {
          if (box !== null) box.indeterminate = selected > 0 && selected < ids.length;
        }}
        onChange={() => selection.set(ids, selected < ids.length)}
      />
    </span>
  );
}
