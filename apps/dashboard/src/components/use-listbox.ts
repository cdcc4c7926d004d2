import { type KeyboardEvent, useEffect, useId, useState } from 'react';

/** Keys and names for a text field with a list of choices under it, after the combobox pattern of ARIA. */
export interface Listbox {
  readonly active: number;
  readonly setActive: (index: number) => void;
  /** For the field. */
  readonly field: {
    readonly role: 'combobox';
    readonly 'aria-expanded': boolean;
    readonly 'aria-controls': string;
    readonly 'aria-autocomplete': 'list';
    readonly 'aria-activedescendant': string | undefined;
  };
  readonly listId: string;
  readonly optionId: (index: number) => string;
  /** Answers whether the key was for the list. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** `initial`: which choice is active when the choices change; -1 for none, so that Enter keeps its meaning. */
export function useListbox(count: number, choices: string, initial: number, choose: (index: number) => void): Listbox {
  const listId = useId();
  const [active, setActive] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other choices begin anew.
  useEffect(() => setActive(initial), [choices, initial]);
  const optionId = (index: number) => `${listId}-${index}`;
  const shown = Math.min(active, count - 1);
  useEffect(() => {
    if (shown >= 0) document.getElementById(`${listId}-${shown}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [shown, listId]);
  return {
    active: shown,
    setActive,
    listId,
    optionId,
    field: {
      role: 'combobox',
      'aria-expanded': count > 0,
      'aria-controls': listId,
      'aria-autocomplete': 'list',
      'aria-activedescendant': shown >= 0 && count > 0 ? optionId(shown) : undefined,
    },
    onKey(event) {
      if (count === 0) return false;
      if (event.key === 'ArrowDown') setActive((shown + 1) % count);
      else if (event.key === 'ArrowUp') setActive((Math.max(shown, 0) + count - 1) % count);
      else if (event.key === 'Enter' && shown >= 0 && !event.ctrlKey && !event.metaKey) choose(shown);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
