import { classNames } from './class-names.js';
import styles from './sparkline.module.css';

export interface SparkSeries {
  readonly tone: 'muted' | 'accent' | 'danger' | 'caution' | 'text';
  readonly values: readonly number[];
}

interface SparklineProps {
  readonly series: readonly SparkSeries[];
  readonly width: number;
  readonly height: number;
  /** Places for points: a shorter series stands at the right, as if its past were unknown, which it is. */
  readonly slots?: number;
  /** A sentence for those who do not see the line. */
  readonly label: string;
}

/** Small lines on one scale from zero. */
export function Sparkline({ series, width, height, slots, label }: SparklineProps) {
  const top = Math.max(1, ...series.flatMap((line) => line.values));
  const places = Math.max(2, slots ?? 0, ...series.map((line) => line.values.length));
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.spark}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
    >
      <line className={styles.floor} x1={0} x2={width} y1={height - 1} y2={height - 1} />
      {series.map((line) => (
        <polyline
          key={line.tone}
          className={classNames(styles.line, styles[line.tone])}
          points={points(line.values, places, top, width, height)}
        />
      ))}
      {/* Where it stands now: a line that has only begun is a mere stroke without it, or nothing where it has one point. */}
      {series
        .filter(({ values }) => slots !== undefined || values.length === 1)
        .map((line) => {
          const now = points(line.values.slice(-1), places, top, width, height);
          return (
            <polyline key={line.tone} className={classNames(styles.end, styles[line.tone])} points={`${now} ${now}`} />
          );
        })}
    </svg>
  );
}

function points(values: readonly number[], places: number, top: number, width: number, height: number): string {
  const from = places - values.length;
  return values
    .map((value, index) => {
      const x = ((from + index) / (places - 1)) * (width - 2) + 1;
      const y = height - 1.5 - (value / top) * (height - 3);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
