import type { ReactNode } from 'react';
import { classNames } from './class-names.js';
import styles from './figure.module.css';

interface FigureProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly chart?: ReactNode;
  readonly tone?: 'danger' | 'caution' | undefined;
}

/** One number that matters, with its name and perhaps its recent past. Lives in a `Figures` row. */
export function Figure({ label, value, note, chart, tone }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.body}>
        <span className={classNames(styles.value, tone && styles[tone])}>{value}</span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        {chart !== undefined && <span className={styles.chart}>{chart}</span>}
      </dd>
    </div>
  );
}

interface FiguresProps {
  readonly children: ReactNode;
  /** In a wide window. Two in a narrow one. */
  readonly columns: 'three' | 'four' | 'five';
  readonly dimmed: boolean;
}

export function Figures({ children, columns, dimmed }: FiguresProps) {
  return <dl className={classNames(styles.figures, styles[columns], dimmed && styles.dimmed)}>{children}</dl>;
}
