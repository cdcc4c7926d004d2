/**
 * What belongs to calls that are open, by their numbers.
 *
 * Each value lies in a cell that is emptied when the call is over. A Map alone would keep it: the tables that a Map has outgrown lead to those
 * that came after them, so one that has grown old in V8's heap keeps all of these alive, and with them what was in them (the jobs of each claim),
 * until the next large collection. Small collections would copy all that meanwhile.
 */
export class OpenCalls<Value> {
  readonly #cells = new Map<number, { value: Value | undefined }>();

  get size(): number {
    return this.#cells.size;
  }

  add(call: number, value: Value): void {
    this.#cells.set(call, { value });
  }

  get(call: number): Value | undefined {
    return this.#cells.get(call)?.value;
  }

  /** The call is over. @returns what belonged to it; `undefined` if nothing did */
  take(call: number): Value | undefined {
    const cell = this.#cells.get(call);
    if (cell === undefined) return undefined;
    this.#cells.delete(call);
    const { value } = cell;
    cell.value = undefined;
    return value;
  }

  /** All calls are over. @returns what belonged to them, the oldest first */
  takeAll(): Value[] {
    return [...this.#cells.keys()].flatMap((call) => this.take(call) ?? []);
  }
}
