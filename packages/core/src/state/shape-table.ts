import type { Backoff, Retention } from '@holdfast/contract';
import { retentionOf } from '@holdfast/contract/rules';
import { BACKOFF_KIND_AT, BACKOFF_NAMED, ENCODING_AT, NAMES_AT, SHAPE_AT } from './enqueue-record.js';
import type { JobColumns } from './job-columns.js';
import { type Lane, QueueLanes } from './lane.js';
import { asBuffer, RecordError } from './record-body.js';

/** Queue, name and policy: what all jobs of one kind share beside their priority. */
export interface ShapeFields {
  readonly queue: string;
  readonly name: string;
  readonly maxAttempts: number | null;
  readonly backoff: Backoff;
}

/** One interned shape. */
export interface Shape extends ShapeFields {
  /** Given to another shape when this one is forgotten. */
  readonly index: number;
  readonly hash: number;
  /** Jobs that have it. */
  jobs: number;
  readonly lane: Lane;
  /** Bytes of the ENQUEUE record from the priority to the end of the names; priority, encoding and optionsBytes are zero. */
  readonly template: Uint8Array;
}

const POLICY_AT = 28 - SHAPE_AT;
const ENCODING = ENCODING_AT - SHAPE_AT;
const OPTIONS_BYTES = 44 - SHAPE_AT;
const NAMES = NAMES_AT - SHAPE_AT;
const BACKOFF_KIND = BACKOFF_KIND_AT - SHAPE_AT;
const JITTER = BACKOFF_KIND + 1;

/** By their numbers in the record. */
const BACKOFF_KINDS: readonly Backoff['kind'][] = ['fixed', 'exponential', 'named'];
const JITTERS: readonly Backoff['jitter'][] = ['none', 'full', 'decorrelated'];
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Shapes without jobs that are remembered, since the next job of their kind may be about to come. */
const IDLE_SHAPES_MAX = 1000;

/**
 * The shapes of all jobs, and all queues. Few jobs have a shape of their own, so a job carries a number. Shapes are known by their bytes in
 * the record: the live path and a replay find the same one, and a replay decodes no text for a shape that it has met. A shape
 * goes with its last job, or somewhat later: see IDLE_SHAPES_MAX. So one that was found must get its job before another is looked
 * for.
 */
export class ShapeTable {
  readonly #columns: JobColumns;
  readonly #retention: Retention;
  readonly #shapes: (Shape | undefined)[] = [];
  readonly #freeIndexes: number[] = [];
  readonly #byHash = new Map<number, readonly Shape[]>();
  /** Those without jobs; the one that has been so for longest is the first. */
  readonly #idle = new Set<Shape>();
  readonly #queues = new Map<string, QueueLanes>();
  /** The queues that were there when somebody asked for them in order. */
  readonly #queuesByName: QueueLanes[] = [];
  #last: Shape | undefined;

  constructor(columns: JobColumns, retention: Retention) {
    this.#columns = columns;
    this.#retention = retention;
  }

  at(index: number): Shape {
    return this.#shapes[index]!;
  }

  /** Whether the shape has not been forgotten. */
  has(shape: Shape): boolean {
    return this.#shapes[shape.index] === shape;
  }

  /** Shapes in memory, of jobs and idle ones. */
  get size(): number {
    return this.#shapes.length - this.#freeIndexes.length;
  }

  /** A job has got the shape. */
  addJob(shape: Shape): void {
    if (shape.jobs++ === 0) this.#idle.delete(shape);
  }

  /** A job of the shape is gone. */
  removeJob(shape: Shape): void {
    if (--shape.jobs === 0) this.#rest(shape);
  }

  queue(name: string): QueueLanes | undefined {
    return this.#queues.get(name);
  }

  queueFor(name: string): QueueLanes {
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      queue = new QueueLanes(name, this.#columns, retentionOf(this.#retention, name));
      this.#queues.set(name, queue);
    }
    return queue;
  }

  queues(): Iterable<QueueLanes> {
    return this.#queues.values();
  }

  /** In the order of their names, those behind `after`, at most `limit`. */
  queuesAfter(after: string, limit: number): readonly QueueLanes[] {
    const byName = this.#queuesByName;
    if (byName.length < this.#queues.size) {
      // Queues never go, so those that are not in the list yet are the youngest.
      for (const queue of [...this.#queues.values()].slice(byName.length)) byName.push(queue);
      byName.sort((one, other) => (one.name < other.name ? -1 : 1));
    }
    const from = firstAfter(byName, after);
    return byName.slice(from, from + limit);
  }

  intern(fields: ShapeFields): Shape {
    const template = encodeTemplate(fields);
    return this.internBytes(template, 0, template.length);
  }

  /** The shape whose template lies at `from` (its priority, encoding and optionsBytes may be anything). @throws RecordError */
  internBytes(bytes: Uint8Array, from: number, length: number): Shape {
    const last = this.#last;
    if (last !== undefined && sameShape(last.template, bytes, from, length)) return last;
    const hash = hashOf(bytes, from, length);
    const candidates = this.#byHash.get(hash);
    let found = candidates?.find((shape) => sameShape(shape.template, bytes, from, length));
    if (found === undefined) {
      found = this.#add(bytes.slice(from, from + length), hash);
      this.#byHash.set(hash, [...(candidates ?? []), found]);
      this.#rest(found);
    }
    this.#last = found;
    return found;
  }

  #rest(shape: Shape): void {
    this.#idle.add(shape);
    if (this.#idle.size <= IDLE_SHAPES_MAX) return;
    const [oldest] = this.#idle;
    this.#forget(oldest!);
  }

  #forget(shape: Shape): void {
    this.#idle.delete(shape);
    this.#shapes[shape.index] = undefined;
    this.#freeIndexes.push(shape.index);
    const others = this.#byHash.get(shape.hash)!.filter((other) => other !== shape);
    if (others.length === 0) this.#byHash.delete(shape.hash);
    else this.#byHash.set(shape.hash, others);
    if (this.#last === shape) this.#last = undefined;
    const { lane } = shape;
    if (--lane.shapes === 0) lane.queue.dropLane(lane);
  }

  #add(template: Uint8Array, hash: number): Shape {
    template.fill(0, 0, POLICY_AT);
    template.fill(0, ENCODING, ENCODING + 2);
    template.fill(0, OPTIONS_BYTES, NAMES);
    const fields = decodeTemplate(template);
    const lane = this.queueFor(fields.queue).laneFor(fields.name);
    lane.shapes++;
    const index = this.#freeIndexes.pop() ?? this.#shapes.length;
    // One string for all shapes with it.
    const names = { queue: lane.queue.name, name: lane.name };
    const shape = { ...fields, ...names, index, hash, jobs: 0, lane, template };
    this.#shapes[index] = shape;
    return shape;
  }
}

/** Place of the first queue behind the name. */
function firstAfter(byName: readonly QueueLanes[], name: string): number {
  let from = 0;
  let end = byName.length;
  while (from < end) {
    const middle = (from + end) >>> 1;
    if (byName[middle]!.name <= name) from = middle + 1;
    else end = middle;
  }
  return from;
}

function sameShape(template: Uint8Array, bytes: Uint8Array, from: number, length: number): boolean {
  if (template.length !== length) return false;
  // The names differ most often, so the comparison starts there.
  for (let at = length - 1; at >= NAMES; at--) if (template[at] !== bytes[from + at]) return false;
  for (let at = POLICY_AT; at < OPTIONS_BYTES; at++) {
    if (template[at] !== bytes[from + at] && at !== ENCODING && at !== ENCODING + 1) return false;
  }
  return true;
}

function hashOf(bytes: Uint8Array, from: number, length: number): number {
  let hash = FNV_START;
  for (let at = POLICY_AT; at < length; at++) {
    if (at === ENCODING) at = ENCODING + 2;
    if (at === OPTIONS_BYTES) at = NAMES;
    hash = Math.imul(hash ^ bytes[from + at]!, FNV_PRIME);
  }
  return hash;
}

function encodeTemplate(fields: ShapeFields): Uint8Array {
  const queue = Buffer.from(fields.queue, 'utf8');
  const name = Buffer.from(fields.name, 'utf8');
  const { backoff } = fields;
  const backoffName = backoff.kind === 'named' ? Buffer.from(backoff.name ?? '', 'utf8') : undefined;
  const namesBytes = 2 + queue.length + name.length + (backoffName === undefined ? 0 : 1 + backoffName.length);
  const bytes = new Uint8Array(NAMES + namesBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(POLICY_AT, fields.maxAttempts ?? 0, true);
  view.setUint8(BACKOFF_KIND, BACKOFF_KINDS.indexOf(backoff.kind));
  view.setUint8(JITTER, JITTERS.indexOf(backoff.jitter));
  view.setUint32(36 - SHAPE_AT, backoff.baseMs, true);
  view.setUint32(40 - SHAPE_AT, backoff.maxMs, true);
  view.setUint8(NAMES, queue.length);
  bytes.set(queue, NAMES + 1);
  view.setUint8(NAMES + 1 + queue.length, name.length);
  bytes.set(name, NAMES + 2 + queue.length);
  if (backoffName !== undefined) {
    const at = NAMES + 2 + queue.length + name.length;
    view.setUint8(at, backoffName.length);
    bytes.set(backoffName, at + 1);
  }
  return bytes;
}

/** What a template says. @throws RecordError */
export function decodeTemplate(bytes: Uint8Array): ShapeFields {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = asBuffer(bytes);
  const kind = BACKOFF_KINDS[view.getUint8(BACKOFF_KIND)];
  const jitter = JITTERS[view.getUint8(JITTER)];
  if (kind === undefined || jitter === undefined) {
    throw new RecordError(`has an unknown backoff (${bytes[BACKOFF_KIND]}, ${bytes[JITTER]})`);
  }
  const queueEnd = NAMES + 1 + bytes[NAMES]!;
  const nameEnd = queueEnd + 1 + bytes[queueEnd]!;
  return {
    queue: text.toString('utf8', NAMES + 1, queueEnd),
    name: text.toString('utf8', queueEnd + 1, nameEnd),
    maxAttempts: view.getUint32(POLICY_AT, true) || null,
    backoff: {
      kind,
      jitter,
      baseMs: view.getUint32(36 - SHAPE_AT, true),
      maxMs: view.getUint32(40 - SHAPE_AT, true),
      ...(bytes[BACKOFF_KIND] === BACKOFF_NAMED ? { name: text.toString('utf8', nameEnd + 1) } : {}),
    },
  };
}
