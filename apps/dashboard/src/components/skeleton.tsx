import styles from './skeleton.module.css';

/** Holds the place of rows until the first answer, so that nothing jumps when it comes. */
export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
        <span key={index} className={styles.row} />
      ))}
    </div>
  );
}
