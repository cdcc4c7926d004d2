import type { AttentionAnswer, NewJob, OverviewAnswer } from '@holdfast/contract';
import { memoryStore, SeededRandom, VirtualClock } from '@holdfast/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOOK_SHARED_MS } from '../../src/admin/queue-looks.js';
import { type AdminApp, operator, PLATFORMS, SERVER_TIME_MS, startAdminApp } from './admin-app.js';

const API = '/admin/queues/api/v1';
const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
const HOUR_MS = 3_600_000;
/** More than are listed of one kind, and of all together. */
const NEW_ERRORS = 210;
/** As many errors as a page of them has, each with more jobs than the one that is new. */
const OLD_ERRORS = 60;

describe.each(PLATFORMS)('what dashboards share on %s', (platform) => {
  let app: AdminApp;
  let clock: VirtualClock;
  let store: ReturnType<typeof memoryStore>;
  let looks: number;
  let nowMs: number;
  beforeEach(async () => {
    clock = new VirtualClock({ wallMs: SERVER_TIME_MS - HOUR_MS });
    store = memoryStore({ clock, random: new SeededRandom(1) });
    looks = 0;
    const look = store.queues.bind(store);
    store.queues = (names) => {
      if (names === undefined) looks++;
      return look(names);
    };
    nowMs = 1000;
    app = await startAdminApp(platform, { settings: operator, store, monotonicMs: () => nowMs });
    looks = 0;
  });
  afterEach(() => app.close());

  const overview = async () => (await app.http.get(`${API}/overview`).expect(200)).body as OverviewAnswer;
  const attention = async () => (await app.http.get(`${API}/attention`).expect(200)).body as AttentionAnswer;
  const enqueue = (job: Partial<NewJob> = {}) =>
    store.enqueue([{ queue: 'mail', name: 'send', payload: '{}', ...job }]);

  async function die(errorClass: string): Promise<void> {
    await enqueue({ maxAttempts: 1 });
    const [leased] = await store.claim({ queues: ['mail'], limit: 1, leaseMs: 30_000, worker: 'w' });
    // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited.
    await store.fail([{ ...leased!, error: { class: errorClass, message: 'gone' }, then: 'dead' }]);
  }

  it('is one look for all who ask at about the same time, and a new one after an act', async () => {
    await enqueue();
    const answers = await Promise.all([overview(), overview(), overview(), attention(), overview()]);
    await overview();
    expect(looks).toBe(1);
    expect(answers[0]).toEqual({
      serverTimeMs: SERVER_TIME_MS,
      health: { status: 'open', reopened: 0 },
      queues: [expect.objectContaining({ name: 'mail', counts: expect.objectContaining({ ready: 1 }) })],
      totals: expect.objectContaining({ retrying: 0 }),
    });
    await app.http.post(`${API}/queues/pause`).set(OWN).send({ queue: 'mail' }).expect(200);
    expect((await overview()).queues[0]?.paused).toMatchObject({ actor: 'olga@example.org' });
    expect(looks).toBe(2);
  });

  it('is not shared for longer than a moment', async () => {
    const names = async () => (await overview()).queues.map(({ name }) => name);
    expect(await names()).toEqual([]);
    await enqueue();
    nowMs += LOOK_SHARED_MS - 1;
    expect(await names()).toEqual([]);
    nowMs += 1;
    expect(await names()).toEqual(['mail']);
    expect(looks).toBe(2);
  });

  it('is shared for longer with what needs attention, so that dashboards that listen cost no further looks', async () => {
    await overview();
    nowMs += 1499;
    await attention();
    expect(looks).toBe(1);
    nowMs += 1;
    await attention();
    expect(looks).toBe(2);
  });

  it('is not what a store said that did not answer', async () => {
    const { queues } = store;
    store.queues = () => Promise.reject(new Error('lost'));
    await app.http.get(`${API}/overview`).expect(500);
    store.queues = queues;
    await enqueue();
    expect((await overview()).queues).toHaveLength(1);
  });

  it('finds a new error however few jobs it has, among more errors than a page has', async () => {
    for (let number = 0; number < OLD_ERRORS; number++) {
      await die(`Old${number}`);
      await die(`Old${number}`);
    }
    clock.setWall(HOUR_MS);
    await die('NewError');
    const { items, total } = await attention();
    expect(items).toEqual([
      {
        tone: 'danger',
        kind: 'newError',
        error: {
          fingerprint: expect.any(String),
          errorClass: 'NewError',
          message: 'gone',
          count: 1,
          firstDeadAtMs: expect.any(Number),
        },
      },
      { tone: 'danger', kind: 'deadJobs', jobs: 2 * OLD_ERRORS + 1, queues: 1, queue: 'mail' },
    ]);
    expect(total).toBe(2);
    const page = await app.http
      .get(`${API}/dead/groups?firstDeadFromMs=${SERVER_TIME_MS - 60_000}&limit=1`)
      .expect(200);
    expect(page.body).toMatchObject({ groups: [{ count: 1 }], total: { value: 1 } });
    await app.http.get(`${API}/dead/groups?firstDeadFromMs=soon`).expect(400);
  });

  it('names of a large incident not new errors alone', async () => {
    clock.setWall(HOUR_MS);
    for (let number = 0; number < NEW_ERRORS; number++) await die(`New${number}`);
    const workers = Array.from({ length: NEW_ERRORS }, (_, number) => ({
      ...{
        name: `silent-${number}`,
        queues: ['mail'],
        busy: 1,
        free: 0,
        waiting: false,
        lastSeenAtMs: SERVER_TIME_MS - HOUR_MS,
      },
    }));
    store.workers = () => Promise.resolve(workers);
    await store.pause('mail', { actor: 'olga' });
    const fifty = (kind: string) => Array.from({ length: 50 }, () => kind);
    const { items, total } = await attention();
    const kinds = items.map(({ kind }) => kind);
    expect(kinds).toEqual([...fifty('newError'), 'deadJobs', ...fifty('silentWorker'), 'pausedQueue']);
    expect(total).toBe(2 * NEW_ERRORS + 2);
  });
});
