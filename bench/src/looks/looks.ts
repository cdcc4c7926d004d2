import type { JobStore } from '@holdfast/contract';

/** Most jobs are in one queue, and one of a million has this name: the last that a claim comes to. */
export const MANY = 'many';
export const FEW = 'few';
export const COMMON_NAME = 'send';
export const RARE_NAME = 'rare';

/** A read. @param deep the id of a job in the middle of all */
type Look = (store: JobStore, deep: string) => Promise<unknown>;

const PAGE = { limit: 50 };

/** What the dashboard and workers ask for. */
export const LOOKS: Readonly<Record<string, Look>> = {
  'first page of all jobs': (store) => store.browse({}, PAGE),
  '… in the middle': (store, cursor) => store.browse({}, { ...PAGE, cursor }),
  'first page of a queue': (store) => store.browse({ queue: MANY }, PAGE),
  '… in the middle of it': (store, cursor) => store.browse({ queue: MANY }, { ...PAGE, cursor }),
  'first page of a state': (store) => store.browse({ state: 'ready' }, PAGE),
  '… in the middle of that': (store, cursor) => store.browse({ state: 'ready' }, { ...PAGE, cursor }),
  'first page of a state and queue': (store) => store.browse({ state: 'ready', queue: MANY }, PAGE),
  '… in the middle of these': (store, cursor) => store.browse({ state: 'ready', queue: MANY }, { ...PAGE, cursor }),
  'first page of a state and a small queue': (store) => store.browse({ state: 'ready', queue: FEW }, PAGE),
  'first page of a state and a common name': (store) => store.browse({ state: 'ready', name: COMMON_NAME }, PAGE),
  'first page of a state and a rare name': (store) => store.browse({ state: 'ready', name: RARE_NAME }, PAGE),
  'counts of one queue': (store) => store.queues([MANY]),
  'a plan for all jobs of a state': async (store) => store.plan?.({ all: { state: 'ready' } }),
  'a claim of ten jobs': (store) => claim(store, undefined),
  'a claim of a rare name': (store) => claim(store, [RARE_NAME]),
};

/** Handed back, so that the next one finds the same. */
async function claim(store: JobStore, names: readonly string[] | undefined): Promise<void> {
  const jobs = await store.claim({
    queues: [MANY],
    limit: 10,
    leaseMs: 60_000,
    worker: 'bench',
    ...(names === undefined ? {} : { names }),
  });
  if (jobs.length === 0) throw new Error('A claim found nothing.');
  await store.release(jobs.map(({ id, token }) => ({ id, token })));
}
