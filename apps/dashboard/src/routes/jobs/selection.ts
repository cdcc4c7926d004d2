import { useMemo, useState } from 'react';

/** Jobs chosen from a list. Kept over its pages, so a number is always shown beside what it is for. */
export interface JobSelection {
  readonly size: number;
  readonly ids: readonly string[];
  /** Everything that matches is meant, also what no page has shown. */
  readonly all: boolean;
  chooseAll(): void;
  has(id: string): boolean;
  toggle(id: string): void;
  /** Everything between the last toggled job and this one takes the state that this one gets. */
  toggleRange(id: string, order: readonly string[]): void;
  set(ids: readonly string[], selected: boolean): void;
  clear(): void;
}

interface Chosen {
  readonly family: string;
  readonly ids: ReadonlySet<string>;
  readonly last: string | undefined;
  readonly all: boolean;
}

/** `family` names the filter: what was selected under another one is let go. */
export function useJobSelection(family: string): JobSelection {
  const [chosen, setChosen] = useState<Chosen>(nothing(family));
  const current = useMemo(() => (chosen.family === family ? chosen : nothing(family)), [chosen, family]);
  return useMemo(() => {
    const change = (ids: ReadonlySet<string>, last: string | undefined) => setChosen({ family, ids, last, all: false });
    const set = (ids: readonly string[], selected: boolean, last?: string) =>
      change(withIds(current.ids, ids, selected), last);
    const clear = () => change(new Set(), undefined);
    return {
      size: current.ids.size,
      ids: [...current.ids],
      all: current.all,
      chooseAll: () => setChosen({ ...current, all: true }),
      has: (id) => current.all || current.ids.has(id),
      // Taking one out of all that match is not said by ids: it lets all of them go.
      toggle: (id) => (current.all ? clear() : set([id], !current.ids.has(id), id)),
      toggleRange: (id, order) =>
        current.all ? clear() : set(between(current.last ?? id, id, order), !current.ids.has(id), id),
      set: (ids, selected) => (current.all ? clear() : set(ids, selected)),
      clear,
    };
  }, [current, family]);
}

function nothing(family: string): Chosen {
  return { family, ids: new Set(), last: undefined, all: false };
}

function withIds(ids: ReadonlySet<string>, changed: readonly string[], selected: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  for (const id of changed) {
    if (selected) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** The stretch of `order` from one id to the other, both with it; only `to` when `from` is on another page. */
export function between(from: string, to: string, order: readonly string[]): readonly string[] {
  const ends = [order.indexOf(from), order.indexOf(to)];
  return ends.includes(-1) ? [to] : order.slice(Math.min(...ends), Math.max(...ends) + 1);
}
