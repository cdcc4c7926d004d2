import type { PageScan, Total } from '@holdfast/contract';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { formatCount, formatNoun, formatTotal } from '../format/number.js';
import type { CursorPages } from './cursor-pages.js';
import styles from './pager.module.css';

export const pagerText = {
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
  waiting: 'Loading the page…',
  /** Not that there are none at all: pages before it may be full. */
  emptyPage: 'Nothing is left on this page',
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
    before === undefined || rows === 0
      ? pagerText.count(rows, formatTotal(total))
      : pagerText.range(before + 1, before + rows, formatTotal(total));
  const shown = scan === undefined ? position : pagerText.scanned(rows, scan);
  return (
    <nav className={styles.pager} aria-label={pagerText.label}>
      <span className={styles.position}>{pages.isWaiting ? pagerText.waiting : shown}</span>
      {pages.number === undefined ? (
        <Button size="small" onClick={pages.first}>
          {pagerText.first}
        </Button>
      ) : (
        <PreviousButton pages={pages} />
      )}
      <NextButton
        pages={pages}
        next={next}
        label={scan === undefined || scan.exhausted || rows === pageRows ? pagerText.next : pagerText.searchOn}
      />
    </nav>
  );
}

interface PreviousButtonProps {
  readonly pages: CursorPages;
  readonly label?: string;
}

/** As the other one it keeps focus where there is nothing to go to: else whoever goes there by keyboard would start from the top of the page. */
export function PreviousButton({ pages, label = pagerText.previous }: PreviousButtonProps) {
  const isFirst = pages.number === 1;
  return (
    <Button size="small" aria-disabled={isFirst} onClick={() => !isFirst && pages.previous()}>
      <Icon name="previous" size={12} />
      {label}
    </Button>
  );
}

interface NextButtonProps {
  readonly pages: CursorPages;
  readonly next: string | undefined;
  readonly label?: string;
}

export function NextButton({ pages, next, label = pagerText.next }: NextButtonProps) {
  return (
    <Button
      size="small"
      aria-disabled={next === undefined || pages.isWaiting}
      onClick={() => next !== undefined && pages.next(next)}
    >
      {label}
      <Icon name="next" size={12} />
    </Button>
  );
}
