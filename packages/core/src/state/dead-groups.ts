import type { JobError } from '@holdfast/contract';
import { type ErrorKind, errorKind, OTHER_ERRORS, STORE_LIMITS } from '@holdfast/contract/rules';

/** Dead jobs of one queue and name that died of one kind of error. */
export interface DeadCell {
  readonly group: DeadErrors;
  readonly queue: string;
  readonly name: string;
  readonly number: number;
  count: number;
  firstAtMs: number;
  lastAtMs: number;
}

/** Dead jobs of one kind of error. */
export interface DeadErrors {
  readonly kind: ErrorKind;
  /** By queue and name. */
  readonly cells: Map<string, DeadCell>;
  count: number;
  /** Ids of those that died last, the latest first; some may be gone. */
  latest: readonly number[];
}

/** Kinds of errors that were met lately, so that many deaths of one cause cost one reading of their texts. */
const REMEMBERED_MAX = 256;

/**
 * Dead jobs by what killed them. A dead job carries the number of its cell in the place where a completed one has its token, so this costs
 * a job nothing. Kept by death, redrive and removal, live and on replay alike; it is no part of what is durable: first and last
 * times are of the deaths that were seen since the cell was last empty.
 */
export class DeadGroups {
  readonly #groups = new Map<string, DeadErrors>();
  /** 0 is no cell. */
  readonly #cells: (DeadCell | undefined)[] = [undefined];
  readonly #free: number[] = [];
  readonly #remembered = new Map<string, ErrorKind>();

  get groups(): Iterable<DeadErrors> {
    return this.#groups.values();
  }

  get size(): number {
    return this.#groups.size;
  }

  group(fingerprint: string): DeadErrors | undefined {
    return this.#groups.get(fingerprint);
  }

  cell(number: number): DeadCell | undefined {
    return this.#cells[number];
  }

  /** A job has died. @returns the number of its cell */
  enter(queue: string, name: string, error: JobError, id: number, atMs: number): number {
    const group = this.#groupFor(this.#kindOf(error));
    const cell = this.#cellFor(group, queue, name, atMs);
    cell.count++;
    cell.firstAtMs = Math.min(cell.firstAtMs, atMs);
    cell.lastAtMs = Math.max(cell.lastAtMs, atMs);
    group.count++;
    group.latest = [id, ...group.latest.filter((other) => other !== id)].slice(0, STORE_LIMITS.deadGroupSamples);
    return cell.number;
  }

  /** A job of the cell is dead no longer, or is gone. */
  leave(number: number): void {
    const cell = this.#cells[number];
    if (cell === undefined) return;
    const { group } = cell;
    group.count--;
    if (--cell.count > 0) return;
    group.cells.delete(keyOf(cell.queue, cell.name));
    this.#cells[number] = undefined;
    this.#free.push(number);
    if (group.count === 0) this.#groups.delete(group.kind.fingerprint);
  }

  #groupFor(kind: ErrorKind): DeadErrors {
    const known = this.#groups.get(kind.fingerprint);
    if (known !== undefined) return known;
    if (this.#groups.size >= STORE_LIMITS.deadGroupsMax && kind !== OTHER_ERRORS) return this.#groupFor(OTHER_ERRORS);
    const group: DeadErrors = { kind, cells: new Map(), count: 0, latest: [] };
    this.#groups.set(kind.fingerprint, group);
    return group;
  }

  #cellFor(group: DeadErrors, queue: string, name: string, atMs: number): DeadCell {
    const key = keyOf(queue, name);
    const known = group.cells.get(key);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#cells.length;
    const cell: DeadCell = { group, queue, name, number, count: 0, firstAtMs: atMs, lastAtMs: atMs };
    this.#cells[number] = cell;
    group.cells.set(key, cell);
    return cell;
  }

  #kindOf(error: JobError): ErrorKind {
    const key = JSON.stringify([error.class, error.message, error.stack]);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    if (this.#remembered.size === REMEMBERED_MAX) this.#remembered.clear();
    const kind = errorKind(error);
    this.#remembered.set(key, kind);
    return kind;
  }
}

function keyOf(queue: string, name: string): string {
  return JSON.stringify([queue, name]);
}
