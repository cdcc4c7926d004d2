import type { PageScan, Total } from '@holdfast/contract';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { formatCount, formatNoun, formatTotal } from '../format/number.js';
import type { CursorPages } from './cursor-pages.js';
import styles from './pager.module.css';

const text = {
  label: 'Pages of the list',
  previous: 'Previous',
  next: 'Next',
  first: 'First page',
  range: (from: number, to: number, total: string) => `${formatCount(from)}–${formatCount(to)} of ${total}`,
  count: (rows: number, total: string) => `${formatCount(rows)} of ${total}`,
  scanned: (rows: number, { scanned, exhausted }: PageScan) =>
    exhausted
      ? `${formatNoun(rows, 'job')} found; looked at all that are left (${formatCount(scanned)})`
      : `${formatNoun(rows, 'job')} found among ${formatCount(scanned)} looked at, the newest first`,
  searchOn: 'Keep searching',
} as const;

interface PagerProps {
  readonly pages: CursorPages;
  readonly rows: number;
  readonly pageRows: number;
  readonly next: string | undefined;
  readonly total: Total;
  readonly scan?: PageScan | undefined;
}

export function Pager({ pages, rows, pageRows, next, total, scan }: PagerProps) {
  const before = pages.number === undefined ? undefined : (pages.number - 1) * pageRows;
  const position =
    before === undefined
      ? text.count(rows, formatTotal(total))
      : text.range(before + 1, before + rows, formatTotal(total));
  return (
    <nav className={styles.pager} aria-label={text.label}>
      <span className={styles.position}>{scan === undefined ? position : text.scanned(rows, scan)}</span>
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
        {scan === undefined || scan.exhausted || rows === pageRows ? text.next : text.searchOn}
        <Icon name="next" size={12} />
      </Button>
    </nav>
  );
}
