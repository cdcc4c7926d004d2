import type { RefObject } from 'react';

const ROW = 'tr[data-row]';
const ROW_TARGET = '[data-row-target]';

/** Moves focus between the rows of a table. A row takes focus through its link, so Enter needs no code. */
export interface RowFocus {
  /** `data-row` of the row with focus. */
  current(): string | undefined;
  /** Focuses the row that many rows on, from the one with focus or else from `fromId`. Answers its `data-row`. */
  move(step: number, fromId?: string): string | undefined;
  focus(id: string): boolean;
}

export function rowFocus(container: RefObject<HTMLElement | null>): RowFocus {
  const rows = () => [...(container.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
  const current = () => document.activeElement?.closest<HTMLElement>(ROW)?.dataset.row;
  const focusRow = (row: HTMLElement | undefined): string | undefined => {
    const target = row?.querySelector<HTMLElement>(ROW_TARGET);
    target?.focus();
    target?.scrollIntoView?.({ block: 'nearest' });
    return row?.dataset.row;
  };
  return {
    current,
    move(step, fromId) {
      const all = rows();
      const from = all.findIndex((row) => row.dataset.row === (current() ?? fromId));
      if (from === -1) return focusRow(step > 0 ? all[0] : all.at(-1));
      return focusRow(all[Math.min(all.length - 1, Math.max(0, from + step))]);
    },
    focus(id) {
      return focusRow(rows().find((row) => row.dataset.row === id)) !== undefined;
    },
  };
}
