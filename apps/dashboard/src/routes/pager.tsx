import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { formatCount, formatTotal } from '../format/number.js';
import type { CursorPages } from './cursor-pages.js';
import styles from './pager.module.css';

const text = {
  label: 'Pages of the list',
  previous: 'Previous',
  next: 'Next',
  first: 'First page',
  range: (from: number, to: number, total: string) => `${formatCount(from)}–${formatCount(to)} of ${total}`,
  count: (rows: number, total: string) => `${formatCount(rows)} of ${total}`,
} as const;

interface PagerProps {
  readonly pages: CursorPages;
  readonly rows: number;
  readonly pageRows: number;
  readonly next: string | undefined;
  readonly total: { readonly value: number; readonly relation: 'exact' | 'atLeast' };
}

export function Pager({ pages, rows, pageRows, next, total }: PagerProps) {
  const before = pages.number === undefined ? undefined : (pages.number - 1) * pageRows;
  const position =
    before === undefined
      ? text.count(rows, formatTotal(total))
      : text.range(before + 1, before + rows, formatTotal(total));
  return (
    <nav className={styles.pager} aria-label={text.label}>
      <span className={styles.position}>{position}</span>
      {pages.number === undefined ? (
        <Button size="small" onClick={pages.first}>
          {text.first}
        </Button>
      ) : (
        <Button size="small" disabled={pages.number === 1} onClick={pages.previous}>
          <Icon name="previous" size={12} />
          {text.previous}
        </Button>
      )}
      <Button size="small" disabled={next === undefined} onClick={() => next !== undefined && pages.next(next)}>
        {text.next}
        <Icon name="next" size={12} />
      </Button>
    </nav>
  );
}
