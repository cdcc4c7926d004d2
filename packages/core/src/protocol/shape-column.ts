import type { Backoff } from '@holdfast/contract';
import type { JobShape, ShapeColumn } from '../engine/engine-calls.js';
import { invariant } from '../invariant.js';
import { WordColumn } from './number-columns.js';

/** Collects shapes. Two objects count as two shapes, so callers intern them first: see ShapeInterner. */
export class ShapeColumnWriter {
  #shapes: JobShape[] = [];
  readonly #places = new WordColumn();
  #placeOf = new Map<JobShape, number>();
  #last: JobShape | undefined;
  #lastPlace = 0;

  add(shape: JobShape): void {
    if (shape !== this.#last) this.#find(shape);
    this.#places.push(this.#lastPlace);
  }

  cutTo(count: number): void {
    this.#places.cutTo(count);
  }

  /** What was added so far; the writer is empty afterwards. */
  take(): ShapeColumn {
    const shapes = this.#shapes;
    const places = this.#places.take();
    this.#shapes = [];
    this.#placeOf = new Map();
    this.#last = undefined;
    return shapes.length > 1 ? { shapes, places } : { shapes };
  }

  #find(shape: JobShape): void {
    let place = this.#placeOf.get(shape);
    if (place === undefined) {
      place = this.#shapes.push(shape) - 1;
      this.#placeOf.set(shape, place);
    }
    this.#last = shape;
    this.#lastPlace = place;
  }
}

export function shapeAt(column: ShapeColumn, index: number): JobShape {
  const shape = column.shapes[column.places?.[index] ?? 0];
  invariant(shape !== undefined, 'every job has a shape');
  return shape;
}

const SHAPES_KEPT = 1000;

/**
 * Turns equal shapes into one object, so that they can be told apart by identity. Holds a bounded number: it starts anew
 * when an application has more kinds of jobs, which only costs that some shapes are made twice.
 */
export class ShapeInterner {
  readonly #shapes = new Map<string, JobShape>();

  /** @param make called for a shape that is not known; may throw. */
  intern(
    queue: string,
    name: string,
    priority: number,
    maxAttempts: number | null,
    backoff: Backoff,
    make: () => JobShape,
  ): JobShape {
    const policy = `${priority} ${maxAttempts} ${backoff.kind} ${backoff.jitter} ${backoff.baseMs} ${backoff.maxMs}`;
    const key = `${queue.length}:${name.length}:${queue}${name}\n${policy} ${backoff.name ?? ''}`;
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#shapes.size >= SHAPES_KEPT) this.#shapes.clear();
    this.#shapes.set(key, made);
    return made;
  }
}
