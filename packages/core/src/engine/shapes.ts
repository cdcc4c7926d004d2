import type { Shape, ShapeTable } from '../state/shape-table.js';
import type { JobShape } from './engine-calls.js';

/** Shape objects of different priority that are kept for one shape. */
const PRIORITIES_MAX = 64;
/** Shapes that such objects are kept for. */
const GIVEN_MAX = 1000;

/** What was handed out for one shape: the last object, and all of them once there are two. */
interface Given {
  readonly shape: Shape;
  last: JobShape;
  byPriority: Map<number, JobShape> | undefined;
}

/** Between the shapes of calls and those of the table, without a look at their fields where the same object comes again. */
export class Shapes {
  readonly #table: ShapeTable;
  readonly #known = new WeakMap<JobShape, Shape>();
  #lastTaken: JobShape | undefined;
  #lastShape: Shape | undefined;
  /** By shape index. Starts anew when it is full, which only costs that some objects are made twice. */
  readonly #given = new Map<number, Given>();
  #lastGiven: Given | undefined;

  constructor(table: ShapeTable) {
    this.#table = table;
  }

  intern(taken: JobShape): Shape {
    if (taken === this.#lastTaken && this.#lastShape !== undefined && this.#table.has(this.#lastShape)) {
      return this.#lastShape;
    }
    let shape = this.#known.get(taken);
    if (shape === undefined || !this.#table.has(shape)) {
      shape = this.#table.intern(taken);
      this.#known.set(taken, shape);
    }
    this.#lastTaken = taken;
    this.#lastShape = shape;
    return shape;
  }

  /** The same object for the same shape and priority, as far as they are few. */
  give(shape: Shape, priority: number): JobShape {
    const given = this.#lastGiven?.shape === shape ? this.#lastGiven : this.#givenFor(shape, priority);
    this.#lastGiven = given;
    if (given.last.priority !== priority) given.last = this.#ofPriority(given, priority);
    return given.last;
  }

  #givenFor(shape: Shape, priority: number): Given {
    const known = this.#given.get(shape.index);
    if (known?.shape === shape) return known;
    const given = { shape, last: jobShape(shape, priority), byPriority: undefined };
    if (this.#given.size === GIVEN_MAX) this.#given.clear();
    this.#given.set(shape.index, given);
    return given;
  }

  #ofPriority(given: Given, priority: number): JobShape {
    given.byPriority ??= new Map([[given.last.priority, given.last]]);
    const known = given.byPriority.get(priority);
    if (known !== undefined) return known;
    const made = jobShape(given.shape, priority);
    if (given.byPriority.size === PRIORITIES_MAX) given.byPriority.clear();
    given.byPriority.set(priority, made);
    return made;
  }
}

function jobShape({ queue, name, maxAttempts, backoff }: Shape, priority: number): JobShape {
  return { queue, name, priority, maxAttempts, backoff };
}
