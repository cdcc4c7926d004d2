import { CursorInvalidError, type HoldfastError, StoreClosedError, StoreFailedError } from '@holdfast/contract';
import type { EventsPage } from '@holdfast/contract/rules';
import { describe, expect, it } from 'vitest';
import type { EngineEvents } from '../engine/engine-calls.js';
import { StoreEvents } from './store-events.js';

const EVENT = { kind: 'resumed', queue: 'mail', actor: 'olga', cursor: '000001.00000000001', atMs: 1 } as const;
const LOST = new StoreFailedError('rejected', 'The engine was lost.');

/** Answers each pull with the next of these; what was asked is kept. */
function listenTo(answers: (HoldfastError | EventsPage)[]) {
  const asked: EngineEvents[] = [];
  const events = new StoreEvents({}, undefined, (request, settled) => {
    asked.push(request);
    const answer = answers.shift() ?? new StoreClosedError();
    if ('events' in answer) settled(undefined, answer);
    else settled(answer, undefined);
    return () => {};
  });
  return { asked, events };
}

async function all(events: StoreEvents): Promise<string[]> {
  const kinds: string[] = [];
  for await (const { kind } of events) kinds.push(kind);
  return kinds;
}

describe('the events of a store', () => {
  it('are asked for from where the last page ended, until the store is closed', async () => {
    const { asked, events } = listenTo([
      { events: [], cursor: '000001.00000000000' },
      { events: [EVENT], cursor: EVENT.cursor },
    ]);
    expect(await all(events)).toEqual(['resumed']);
    expect(asked.map(({ after, waitMs }) => [after, waitMs])).toEqual([
      [undefined, 0],
      ['000001.00000000000', 30_000],
      [EVENT.cursor, 30_000],
    ]);
  });

  it('go on after the engine was lost, with a gap also where the place was not known yet', async () => {
    const { asked, events } = listenTo([LOST, { events: [{ ...EVENT, kind: 'gap' }], cursor: EVENT.cursor }, LOST]);
    expect(await all(events)).toEqual(['gap']);
    expect(asked.map(({ after }) => after)).toEqual([undefined, '000000.00000000000', EVENT.cursor, EVENT.cursor]);
  });

  it('end with the error when the engine stays lost, or refuses', async () => {
    await expect(all(listenTo([LOST, LOST, LOST, LOST]).events)).rejects.toBe(LOST);
    const refused = new CursorInvalidError();
    await expect(all(listenTo([refused]).events)).rejects.toBe(refused);
  });
});
