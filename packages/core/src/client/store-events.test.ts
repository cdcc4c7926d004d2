import { CursorInvalidError, type HoldfastError, StoreClosedError, StoreFailedError } from '@holdfast/contract';
import type { EventsPage } from '@holdfast/contract/rules';
import { describe, expect, it } from 'vitest';
import type { EngineEvents } from '../engine/engine-calls.js';
import { type PullEvents, StoreEvents } from './store-events.js';

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

  it('are told each once, in order, to several calls of next that wait at the same time', async () => {
    const { pulls, events } = heldListener();
    pulls[0]?.settled(undefined, { events: [], cursor: eventAt(0).cursor });
    const told = [events.next(), events.next(), events.next()];
    await turn();
    expect(pulls).toHaveLength(2);
    pulls[1]?.settled(undefined, { events: [eventAt(1)], cursor: eventAt(1).cursor });
    await turn();
    expect(pulls.map(({ after }) => after)).toEqual([undefined, eventAt(0).cursor, eventAt(1).cursor]);
    pulls[2]?.settled(undefined, { events: [eventAt(2), eventAt(3)], cursor: eventAt(3).cursor });
    expect((await Promise.all(told)).map(({ value }) => value)).toEqual([eventAt(1), eventAt(2), eventAt(3)]);
  });

  it('end for all calls of next that wait when the listener returns, and no question is left open', async () => {
    const { pulls, events } = heldListener();
    pulls[0]?.settled(undefined, { events: [], cursor: eventAt(0).cursor });
    const told = [events.next(), events.next()];
    await turn();
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect(await Promise.all(told)).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(pulls.filter(({ isGivenUp }) => !isGivenUp)).toEqual([pulls[0]]);
  });

  it('tell an error once; afterwards the iteration is over', async () => {
    const { events } = listenTo([new CursorInvalidError()]);
    const [first, second] = await Promise.allSettled([events.next(), events.next()]);
    expect(first.status).toBe('rejected');
    expect(second).toEqual({ status: 'fulfilled', value: { done: true, value: undefined } });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});

function eventAt(number: number) {
  return { ...EVENT, cursor: `000001.0000000000${number}` };
}

interface HeldPull {
  readonly after: string | undefined;
  readonly settled: Parameters<PullEvents>[1];
  isGivenUp: boolean;
}

/** What is asked is answered by the test. */
function heldListener() {
  const pulls: HeldPull[] = [];
  const events = new StoreEvents({}, undefined, ({ after }, settled) => {
    const pull = { after, settled, isGivenUp: false };
    pulls.push(pull);
    return () => {
      pull.isGivenUp = true;
    };
  });
  return { pulls, events };
}

/** All that follows from what has happened so far has happened. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
