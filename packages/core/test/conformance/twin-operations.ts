import {
  type BackoffOptions,
  JOB_STATES,
  type JobState,
  type LeaseRef,
  type NewJob,
  type NoteItem,
} from '@holdfast/contract';
import fc from 'fast-check';

/** One step of a life that two stores are led through. Numbers named `pick` choose among what there is then. */
export type Operation =
  | { readonly act: 'enqueue'; readonly specs: readonly JobSpec[]; readonly requestId: string | undefined }
  | { readonly act: 'repeat'; readonly pick: number }
  | {
      readonly act: 'claim';
      readonly queues: readonly string[];
      readonly names: readonly string[] | undefined;
      readonly limit: number;
      readonly leaseMs: number;
    }
  | {
      readonly act: 'wait';
      readonly queue: string;
      readonly names: readonly string[] | undefined;
      readonly limit: number;
      readonly waitMs: number;
    }
  | { readonly act: 'abort'; readonly pick: number }
  | { readonly act: 'ack'; readonly picks: readonly number[]; readonly result: string | undefined }
  | { readonly act: 'fail'; readonly picks: readonly number[]; readonly ending: 'backoff' | 'dead' | 'cancel' | number }
  | { readonly act: 'release'; readonly picks: readonly number[]; readonly delayMs: number }
  | { readonly act: 'extend'; readonly picks: readonly number[]; readonly leaseMs: number }
  | { readonly act: 'note'; readonly picks: readonly number[]; readonly told: Told }
  | {
      readonly act: 'operate';
      readonly kind: 'cancel' | 'remove' | 'runNow' | 'reprioritise' | 'transfer' | 'redrive';
      readonly selection: readonly number[] | JobState;
      readonly priority: number;
    }
  | { readonly act: 'clone'; readonly pick: number; readonly payload: string | undefined }
  | { readonly act: 'pause'; readonly queue: string; readonly forMs: number | undefined }
  | { readonly act: 'resume'; readonly queue: string }
  | {
      readonly act: 'page';
      readonly limit: number;
      readonly queue: string | undefined;
      readonly state: 'dead' | undefined;
    }
  | { readonly act: 'advance'; readonly ms: number }
  | { readonly act: 'setWall'; readonly byMs: number }
  | { readonly act: 'reopen'; readonly how: 'closed' | 'killed' };

export type Told = Omit<NoteItem, keyof LeaseRef>;

export interface JobSpec {
  readonly queue: string;
  readonly name: string;
  readonly priority: number;
  readonly maxAttempts: number | null;
  readonly delayMs: number;
  readonly expiresInMs: number | undefined;
  readonly extras: Pick<NewJob, 'headers' | 'timeoutMs' | 'dedupe'>;
  readonly backoff: BackoffOptions;
}

const queue = fc.constantFrom('a', 'b');
const name = fc.constantFrom('x', 'y');
const pick = fc.nat({ max: 1000 });
const picks = fc.array(pick, { minLength: 1, maxLength: 4 });
const names = fc.constantFrom(undefined, undefined, ['x'], ['y', 'x', 'y']);
const leaseMs = fc.integer({ min: 100, max: 4000 });

const backoff = fc.record({
  kind: fc.constantFrom('fixed' as const, 'exponential' as const),
  baseMs: fc.constantFrom(0, 100, 701),
  maxMs: fc.constantFrom(50, 1000, 2000),
  jitter: fc.constantFrom('none' as const, 'full' as const),
});

const otherBackoff = fc.constantFrom<BackoffOptions>(
  { kind: 'exponential', baseMs: 100, maxMs: 900, jitter: 'decorrelated' },
  { kind: 'named', name: 'webhook' },
  { kind: 'named', name: 'mail', baseMs: 50, maxMs: 700, jitter: 'decorrelated' },
);

const dedupe = fc.record(
  {
    key: fc.constantFrom('k', 'l'),
    onConflict: fc.constantFrom('keep' as const, 'replace' as const, 'runOnceMore' as const),
    forMs: fc.constantFrom(1, 2000, 20_000),
  },
  { requiredKeys: ['key'], noNullPrototype: true },
);

const spec = fc.record({
  queue,
  name,
  priority: fc.constantFrom(0, 0, 0, 1, 2),
  maxAttempts: fc.constantFrom(null, 1, 2, 3),
  delayMs: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3000 }) },
  ),
  expiresInMs: fc.constantFrom(undefined, undefined, undefined, 3500),
  extras: fc.oneof(
    fc.constant({}),
    fc.constantFrom({ headers: { trace: 'a' }, timeoutMs: 5 }, { timeoutMs: 70 }),
    fc.record({ dedupe }),
  ),
  backoff: fc.oneof({ weight: 3, arbitrary: backoff }, { weight: 1, arbitrary: otherBackoff }),
});

const told: fc.Arbitrary<Told> = fc.record(
  {
    progress: fc.constantFrom('0.5', '"half"'),
    lines: fc.array(
      fc.record({ atMs: fc.constantFrom(1, 2.5), text: fc.constantFrom('', 'a', 'lang'.repeat(150), 'ü'.repeat(600)) }),
      { maxLength: 40 },
    ),
    droppedLines: fc.constantFrom(1, 1000),
  },
  { requiredKeys: [], noNullPrototype: true },
);

type Fields<Act extends Operation['act']> = Omit<Extract<Operation, { act: Act }>, 'act'>;

function step<Act extends Operation['act']>(
  weight: number,
  act: Act,
  fields: { readonly [Key in keyof Fields<Act>]: fc.Arbitrary<Fields<Act>[Key]> },
): { weight: number; arbitrary: fc.Arbitrary<Operation> } {
  // The compiler does not see that an act and its fields are an operation while it does not know the act.
  return { weight, arbitrary: fc.record(fields).map((given) => ({ act, ...given }) as unknown as Operation) };
}

/** Operations by weight: lives in which jobs come, run and end. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  step(6, 'enqueue', {
    specs: fc.array(spec, { minLength: 1, maxLength: 4 }),
    requestId: fc.constantFrom(undefined, undefined, undefined, 'r1', 'r2', 'r3', 'r4'),
  }),
  step(1, 'repeat', { pick }),
  step(8, 'claim', {
    queues: fc.constantFrom(['a'], ['b'], ['a', 'b'], ['b', 'none', 'b']),
    names,
    limit: fc.integer({ min: 1, max: 5 }),
    leaseMs,
  }),
  step(3, 'wait', { queue, names, limit: fc.integer({ min: 1, max: 3 }), waitMs: fc.integer({ min: 1, max: 3000 }) }),
  step(1, 'abort', { pick }),
  step(6, 'ack', { picks, result: fc.constantFrom(undefined, '', 'done') }),
  step(4, 'fail', {
    picks,
    ending: fc.oneof(
      fc.constantFrom('backoff' as const, 'backoff' as const, 'dead' as const, 'cancel' as const),
      fc.integer({ min: 0, max: 900 }),
    ),
  }),
  step(3, 'release', { picks, delayMs: fc.constantFrom(0, 0, 400) }),
  step(3, 'extend', { picks, leaseMs }),
  step(3, 'note', { picks, told }),
  step(5, 'operate', {
    kind: fc.constantFrom('cancel', 'remove', 'runNow', 'reprioritise', 'transfer', 'redrive', 'redrive'),
    selection: fc.oneof(picks, picks, fc.constantFrom(...JOB_STATES)),
    priority: fc.constantFrom(0, 1, 2),
  }),
  step(1, 'clone', { pick, payload: fc.constantFrom(undefined, 'new') }),
  step(1, 'pause', { queue, forMs: fc.constantFrom(undefined, 500, 2500) }),
  step(2, 'resume', { queue }),
  step(2, 'page', {
    limit: fc.integer({ min: 1, max: 6 }),
    queue: fc.constantFrom(undefined, 'a'),
    state: fc.constantFrom(undefined, 'dead' as const),
  }),
  step(6, 'advance', { ms: fc.integer({ min: 0, max: 3000 }) }),
  step(1, 'setWall', { byMs: fc.integer({ min: -5000, max: 5000 }) }),
  step(1, 'reopen', { how: fc.constantFrom('closed' as const, 'killed' as const) }),
);
