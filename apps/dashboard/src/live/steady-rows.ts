import { useReducer, useRef } from 'react';
import { useReleases } from './row-release.js';

export interface SteadyRows<Row> {
  readonly rows: readonly Row[];
  /** Rows that have arrived since the order was held. */
  readonly newer: number;
  /** Of the rows: those that the list does not have any more. They show their last facts. */
  readonly gone: ReadonlySet<string>;
}

export interface HeldRows<Row> extends SteadyRows<Row> {
  /** Shows the fresh order once, although it is still held. */
  release(): void;
}

/**
 * Keeps rows where they are while somebody points at them or has selected some: cells are brought up to date in place,
 * and what arrived meanwhile is only counted. `family` names the list; another list is shown at once,
 * and so is what an act came to.
 */
export function useSteadyRows<Row extends { readonly id: string }>(
  family: string,
  fresh: readonly Row[],
  held: boolean,
): HeldRows<Row> {
  const list = `${useReleases()} ${family}`;
  const shown = useRef({ list, rows: fresh });
  const [, showAgain] = useReducer((times: number) => times + 1, 0);
  const steady = held && shown.current.list === list ? mergeInPlace(shown.current.rows, fresh) : inFreshOrder(fresh);
  shown.current = { list, rows: steady.rows };
  const release = () => {
    shown.current = { list, rows: fresh };
    showAgain();
  };
  return { ...steady, release };
}

/** The order of `shown` with the facts of `fresh`. A row that is on no page any more keeps its last facts. */
export function mergeInPlace<Row extends { readonly id: string }>(
  shown: readonly Row[],
  fresh: readonly Row[],
): SteadyRows<Row> {
  const byId = new Map(fresh.map((row) => [row.id, row]));
  const rows = shown.map((row) => byId.get(row.id) ?? row);
  const known = new Set(shown.map((row) => row.id));
  const gone = new Set(shown.filter((row) => !byId.has(row.id)).map((row) => row.id));
  return { rows, newer: fresh.filter((row) => !known.has(row.id)).length, gone };
}

function inFreshOrder<Row>(rows: readonly Row[]): SteadyRows<Row> {
  return { rows, newer: 0, gone: new Set() };
}
