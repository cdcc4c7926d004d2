import { useSyncExternalStore } from 'react';

/** A choice of this browser that outlives the page. Without storage (private windows) it lives as long as the page. */
export class StoredSetting<Value> {
  readonly #key: string;
  readonly #isValue: (value: unknown) => value is Value;
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(name: string, initial: Value, isValue: (value: unknown) => value is Value) {
    this.#key = `holdfast.${name}`;
    this.#isValue = isValue;
    this.#value = this.#read() ?? initial;
  }

  get = (): Value => this.#value;

  set = (value: Value): void => {
    this.#value = value;
    try {
      window.localStorage.setItem(this.#key, JSON.stringify(value));
    } catch {
      // The choice still holds for this page.
    }
    for (const listener of this.#listeners) listener();
  };

  /** For lists that grow in several tabs: begins with what is stored by now, not with what this page has read. */
  update = (change: (value: Value) => Value): void => this.set(change(this.#read() ?? this.#value));

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #read(): Value | undefined {
    try {
      const value: unknown = JSON.parse(window.localStorage.getItem(this.#key) ?? 'null');
      return this.#isValue(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

export function useSetting<Value>(setting: StoredSetting<Value>): Value {
  return useSyncExternalStore(setting.subscribe, setting.get);
}

export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
