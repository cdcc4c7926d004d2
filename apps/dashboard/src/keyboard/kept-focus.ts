import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';
import { rowFocus } from './row-focus.js';

/**
 * A row with focus can leave the list, by an act or by a refresh. Focus then goes to the row that took its place, so that
 * whoever works by keyboard goes on where they were instead of starting from the top of the page.
 */
export function useKeptFocus(frame: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const place = useRef<number>(undefined);
  useEffect(() => {
    if (place.current === undefined || document.activeElement !== document.body) return;
    const id = ids[Math.min(place.current, ids.length - 1)];
    if (id !== undefined) rowFocus(frame).focus(id);
  }, [frame, ids]);
  return {
    onFocus() {
      const id = rowFocus(frame).current();
      place.current = id === undefined ? undefined : ids.indexOf(id);
    },
    /** Somebody went elsewhere on purpose. A removed row says nothing of this kind. */
    onBlur(event: FocusEvent) {
      if (event.relatedTarget !== null) place.current = undefined;
    },
  };
}
