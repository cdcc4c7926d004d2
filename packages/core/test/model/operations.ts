import { JOB_STATES, type JobState } from '@holdfast/contract';
import fc from 'fast-check';
import type { NaiveSpec } from './naive-engine.js';
import type { NaiveTold } from './naive-notes.js';

/** One step of a random life. Numbers named `pick` choose among what there is then. */
export type Operation =
  | { readonly act: 'enqueue'; readonly specs: readonly NaiveSpec[] }
  | {
      readonly act: 'claim';
      readonly queues: readonly string[];
      readonly names: readonly string[] | undefined;
      readonly limit: number;
      readonly leaseMs: number;
    }
  | { readonly act: 'ack'; readonly picks: readonly number[] }
  | { readonly act: 'fail'; readonly pick: number; readonly ending: 'backoff' | 'dead' | 'cancel' | number }
  | { readonly act: 'release'; readonly pick: number; readonly delayMs: number }
  | { readonly act: 'extend'; readonly pick: number; readonly leaseMs: number }
  | { readonly act: 'note'; readonly pick: number; readonly told: NaiveTold }
  | { readonly act: 'redrive'; readonly picks: readonly number[] | 'all' }
  | {
      readonly act: 'act';
      readonly kind: 'cancel' | 'remove' | 'runNow' | 'reprioritise' | 'transfer';
      readonly priority: number;
      readonly on: readonly number[] | { readonly state: JobState; readonly queue?: string; readonly name?: string };
    }
  | { readonly act: 'clone'; readonly pick: number }
  | { readonly act: 'pause'; readonly queue: string; readonly forMs: number | undefined }
  | { readonly act: 'resume'; readonly queue: string }
  | { readonly act: 'advance'; readonly ms: number }
  | { readonly act: 'setWall'; readonly byMs: number }
  | { readonly act: 'reopen'; readonly how: 'closed' | 'killed' | 'crashed' };

const queue = fc.constantFrom('a', 'b');
const name = fc.constantFrom('x', 'y');
const pick = fc.nat({ max: 1000 });

const spec = fc.record({
  queue,
  name,
  priority: fc.constantFrom(0, 0, 0, 1, 2),
  maxAttempts: fc.constantFrom(null, 1, 2, 3),
  delayMs: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3000 }) },
  ),
  expiresInMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 5000 }) },
  ),
  dedupe: fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.record({
        key: fc.constantFrom('k', 'l', 'm'),
        onConflict: fc.constantFrom('keep', 'replace', 'runOnceMore'),
        forMs: fc.constantFrom(0, 0, 2000, 20_000),
      }),
    },
  ),
});

const inState = fc.record(
  { state: fc.constantFrom(...JOB_STATES), queue, name },
  { requiredKeys: ['state'], noNullPrototype: true },
);

const told = fc.record({
  progress: fc.constantFrom(undefined, undefined, '0.5', '"half"'),
  lines: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: fc.array(fc.constantFrom('', 'a', 'some text'), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom('b', 'long'.repeat(200)), { minLength: 20, maxLength: 60 }) },
  ),
  droppedLines: fc.constantFrom(0, 0, 7),
});

/** Operations by weight: lives in which jobs come, run and end. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('enqueue' as const),
      specs: fc.array(spec, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('claim' as const),
      queues: fc.constantFrom(['a'], ['b'], ['a', 'b'], ['b', 'none', 'b']),
      names: fc.constantFrom(undefined, undefined, ['x'], ['y', 'x', 'y']),
      limit: fc.integer({ min: 1, max: 5 }),
      leaseMs: fc.integer({ min: 100, max: 4000 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ act: fc.constant('ack' as const), picks: fc.array(pick, { minLength: 1, maxLength: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('fail' as const),
      pick,
      ending: fc.oneof(
        fc.constantFrom('backoff' as const, 'backoff' as const, 'dead' as const, 'cancel' as const),
        fc.integer({ min: 0, max: 900 }),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('release' as const), pick, delayMs: fc.constantFrom(0, 0, 400) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('extend' as const), pick, leaseMs: fc.integer({ min: 100, max: 4000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('note' as const), pick, told }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('redrive' as const),
      picks: fc.oneof(fc.constant('all' as const), fc.array(pick, { maxLength: 3 })),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('act' as const),
      kind: fc.constantFrom('cancel', 'remove', 'runNow', 'reprioritise', 'transfer'),
      priority: fc.nat({ max: 3 }),
      on: fc.oneof(fc.array(pick, { maxLength: 3 }), inState),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('clone' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('pause' as const),
      queue,
      forMs: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 4000 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('resume' as const), queue }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 3000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('setWall' as const), byMs: fc.integer({ min: -5000, max: 5000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('reopen' as const), how: fc.constantFrom('closed', 'killed', 'crashed') }),
  },
);
