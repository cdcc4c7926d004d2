import { useEffect, useRef } from 'react';
import { isBoolean, StoredSetting } from '../settings/stored-setting.js';

/** Keys by name as `KeyboardEvent.key` has them, or two in sequence: `g d`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Single keys can clash with speech input and reading aids, so they can be switched off. */
export const shortcutsEnabled = new StoredSetting('shortcuts', true, isBoolean);

const PREFIX = 'g';
const PREFIX_MS = 3_000;
const registered: { current: Shortcuts }[] = [];
let prefixUntilMs = 0;

/** Adds shortcuts while the component is shown. What was added last wins. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const entry = useRef(shortcuts);
  entry.current = shortcuts;
  useEffect(() => {
    if (registered.length === 0) window.addEventListener('keydown', dispatch);
    registered.push(entry);
    return () => {
      registered.splice(registered.indexOf(entry), 1);
      if (registered.length === 0) window.removeEventListener('keydown', dispatch);
    };
  }, []);
}

function dispatch(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return;
  if (event.key !== 'Escape' && !shortcutsEnabled.get()) return;
  const inSequence = event.timeStamp < prefixUntilMs;
  prefixUntilMs = 0;
  if (event.key === PREFIX && !inSequence) {
    prefixUntilMs = event.timeStamp + PREFIX_MS;
    return;
  }
  const call = handlerOf(inSequence ? `${PREFIX} ${event.key}` : event.key);
  if (call === undefined) return;
  event.preventDefault();
  call();
}

function handlerOf(name: string): (() => void) | undefined {
  return registered.findLast((entry) => entry.current[name] !== undefined)?.current[name];
}

/** Text fields keep their keys, and so does everything in a dialog. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('[role="dialog"]') !== null) return true;
  const field = target.closest('input, textarea, select, [contenteditable="true"]');
  return field !== null && !(field instanceof HTMLInputElement && field.type === 'checkbox');
}
