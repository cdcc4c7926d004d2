import type { Shape, ShapeTable } from '../state/shape-table.js';
import type { JobShape } from './engine-calls.js';

/** Shape objects of different priority that are kept for one shape. */
const PRIORITIES_MAX = 64;

/** Between the shapes of calls and those of the table, without a look at their fields where the same object comes again. */
export class Shapes {
  readonly #table: ShapeTable;
  readonly #known = new WeakMap<JobShape, Shape>();
  #lastGiven: JobShape | undefined;
  #lastShape: Shape | undefined;
  /** By shape index: the last object handed out. */
  readonly #handedOut: JobShape[] = [];
  readonly #byPriority: Map<number, JobShape>[] = [];

  constructor(table: ShapeTable) {
    this.#table = table;
  }

  intern(given: JobShape): Shape {
    if (given === this.#lastGiven && this.#lastShape !== undefined) return this.#lastShape;
    let shape = this.#known.get(given);
    if (shape === undefined) {
      shape = this.#table.intern(given);
      this.#known.set(given, shape);
    }
    this.#lastGiven = given;
    this.#lastShape = shape;
    return shape;
  }

  /** The same object for the same shape and priority, as far as they are few. */
  give(shape: Shape, priority: number): JobShape {
    const last = this.#handedOut[shape.index];
    if (last?.priority === priority) return last;
    let byPriority = this.#byPriority[shape.index];
    if (byPriority === undefined) {
      byPriority = new Map();
      this.#byPriority[shape.index] = byPriority;
    }
    let given = byPriority.get(priority);
    if (given === undefined) {
      const { queue, name, maxAttempts, backoff } = shape;
      given = { queue, name, priority, maxAttempts, backoff };
      if (byPriority.size === PRIORITIES_MAX) byPriority.clear();
      byPriority.set(priority, given);
    }
    this.#handedOut[shape.index] = given;
    return given;
  }
}
