import styles from './newer-note.module.css';

interface NewerNoteProps {
  readonly label: string;
  readonly onShow: () => void;
}

/** Over rows that hold still: that there are newer ones, and a way to see them. Takes no room, so that nothing moves when it comes. */
export function NewerNote({ label, onShow }: NewerNoteProps) {
  return (
    <div className={styles.newer}>
      <button type="button" className={styles.pill} onClick={onShow}>
        {label}
      </button>
    </div>
  );
}
