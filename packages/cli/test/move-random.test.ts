import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DATABASES, move, viewOf } from './move-rig.js';
import { Dice, makeRandomLog, openStill } from './random-log.js';

const SEED = Number(process.env.HOLDFAST_SEED ?? Math.floor(Math.random() * 2 ** 32));
const RUNS = Number(process.env.HOLDFAST_RUNS ?? 8);

it.for(DATABASES)(
  `moves ${RUNS} random logs into $kind and back (HOLDFAST_SEED=${SEED})`,
  { timeout: 120_000 },
  async ({ schemaFor }, context) => {
    for (let round = 0; round < RUNS; round++) {
      const parent = mkdtempSync(join(tmpdir(), 'holdfast-random-'));
      const schema = schemaFor(context);
      const seed = `HOLDFAST_SEED=${SEED + round} HOLDFAST_RUNS=1`;
      try {
        const { directory } = await makeRandomLog(parent, new Dice(SEED + round));
        const back = join(parent, 'back');
        expect(await move([directory, schema.url, '--schema', schema.name]), seed).toMatchObject({ code: 0, err: '' });
        expect(await move([schema.url, back, '--schema', schema.name]), seed).toMatchObject({ code: 0, err: '' });
        expect(await view(back), seed).toEqual(await view(directory));
      } finally {
        rmSync(parent, { recursive: true, force: true });
      }
    }
  },
);

/** In whatever order leases are ended. */
const EVEN = { fraction: () => 0.5, bytes: (count: number) => new Uint8Array(count).fill(1) };

/** As an open at one and the same moment shows it. */
async function view(directory: string) {
  const store = await openStill(directory, EVEN);
  try {
    return await viewOf(store);
  } finally {
    await store.close();
  }
}
