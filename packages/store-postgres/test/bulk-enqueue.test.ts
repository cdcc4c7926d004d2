import { expect } from 'vitest';
import { rigTests } from './test-database.js';

const BULKS = 4;
const JOBS = 1000;
const LOOKED_AT = [0, 1, JOBS / 2, JOBS - 1];
const it = rigTests({ sweepMs: 60_000 });

// Their numbers may be given out in turns; then an answer cannot count on from the first.
it('answers each job of bulks that are stored at once with its own id', async (rig) => {
  const store = await rig.open();
  const payload = (bulk: number, job: number) => JSON.stringify({ bulk, job, text: 'a"b\\c é' });
  const bulks = await Promise.all(
    Array.from({ length: BULKS }, (_, bulk) =>
      store.enqueue(
        Array.from({ length: JOBS }, (_, job) => ({ queue: 'mail', name: 'send', payload: payload(bulk, job) })),
      ),
    ),
  );
  expect(new Set(bulks.flat().map(({ id }) => id)).size).toBe(BULKS * JOBS);
  for (const [bulk, answers] of bulks.entries()) {
    for (const job of LOOKED_AT) {
      const { id, state } = answers[job]!;
      expect(state).toBe('ready');
      expect(await store.job(id)).toMatchObject({
        payload: payload(bulk, job),
        payloadBytes: Buffer.byteLength(payload(bulk, job)),
      });
    }
  }
});

it('answers each job with its own id where numbers do not follow each other', async (rig) => {
  const store = await rig.open();
  await rig.query(`alter sequence ${rig.schema}.job_number increment by 2`);
  const payloads = ['first', 'second', 'third'];
  const answers = await store.enqueue(payloads.map((payload) => ({ queue: 'mail', name: 'send', payload })));
  const jobs = await Promise.all(answers.map(({ id }) => store.job(id)));
  expect(jobs.map((job) => job?.payload)).toEqual(payloads);
});

it('keeps texts with characters that are stored as others, among texts without', async (rig) => {
  const store = await rig.open();
  const texts = ['plain', 'a\0b', '\u0001', ''];
  const answers = await store.enqueue(texts.map((payload) => ({ queue: 'mail', name: 'send', payload })));
  for (const [index, { id }] of answers.entries()) {
    const payload = texts[index]!;
    expect(await store.job(id)).toMatchObject({ payload, payloadBytes: Buffer.byteLength(payload) });
  }
});
