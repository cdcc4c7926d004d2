import { expect, it } from 'vitest';
import { Calls } from './calls.js';
import type { PostgresPoolClient } from './pool.js';
import { PostgresLink } from './session-link.js';

/** Answers in a later turn of the event loop, and counts how many questions it has at once. */
function countingClient() {
  let open = 0;
  const counted = { most: 0, asked: 0 };
  const client: PostgresPoolClient = {
    async query({ text }) {
      counted.most = Math.max(counted.most, ++open);
      counted.asked++;
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      if (text === 'select 1') throw new Error('The ping is not answered.');
      return { rows: [] };
    },
    release: () => {},
    on: () => {},
    off: () => {},
  };
  return { client, counted };
}

it('asks the connection that it keeps one question at a time, also behind one that failed', async () => {
  const { client, counted } = countingClient();
  const pool = { connect: async () => client, on: () => {} };
  const link = new PostgresLink({
    pool,
    schema: 'holdfast',
    location: 'db',
    callTimeoutMs: 30_000,
    calls: new Calls('holdfast'),
  });
  const connection = await link.connect(1, { lost: () => {}, heard: () => {} });
  const begun = counted.asked;
  const answers = await Promise.allSettled([
    connection.ping(),
    connection.tell?.('ready 1'),
    connection.leads(),
    connection.queries.run('time', []),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(counted).toEqual({ most: 1, asked: begun + 4 });
});
