import { expect, it } from 'vitest';
import { openPortPair } from '../protocol/port-pair.js';
import type { Answer, CallsMessage } from '../protocol/turn-messages.js';
import { PortServer, type Reply } from './port-server.js';

type EchoCalls = { readonly echo: { args: string; answer: string } };

const HEAVY = 16 * 1024;

/** What happens to the calls of one message, in order: each call, the ends of turns, and the answers as they arrive in messages. */
async function happenings(message: Omit<CallsMessage<EchoCalls>, 'kind'>): Promise<string[]> {
  const [near, far] = openPortPair();
  const seen: string[] = [];
  let due: (() => void)[] = [];
  const server = new PortServer<EchoCalls>(
    near,
    {
      echo: (text: string, reply: Reply<string>) => {
        seen.push(text);
        due.push(() => reply(undefined, text));
        return undefined;
      },
    },
    {
      turnEnds: () => {
        seen.push('turn ends');
        for (const answer of due) answer();
        due = [];
      },
      pong: () => seen.push('pong'),
      broke: (error) => {
        throw error;
      },
    },
  );
  const answered: string[] = [];
  far.listen((arrived) => {
    const { answers } = arrived as { readonly answers: readonly Answer[] };
    answered.push(`answers ${answers.map((each) => (each.error === undefined ? each.answer : each.error)).join(', ')}`);
  });
  server.listen();
  far.post({ kind: 'calls', ...message });
  await new Promise((resolve) => setImmediate(resolve));
  return [...seen, ...answered];
}

function call(number: number, weight: number, args = `call ${number}`) {
  return { call: number, method: 'echo', args, weight } as const;
}

it('answers small calls together, at the end of one turn', async () => {
  expect(await happenings({ calls: [call(1, 10), call(2, 10)] })).toEqual([
    ...['call 1', 'call 2', 'turn ends'],
    'answers call 1, call 2',
  ]);
});

it('ends a turn and answers it when enough was taken up, so that the other side has something to do meanwhile', async () => {
  const calls = [call(1, HEAVY / 2), call(2, HEAVY / 2), call(3, 10), call(4, HEAVY), call(5, 10)];
  expect(await happenings({ calls })).toEqual([
    ...['call 1', 'call 2', 'turn ends', 'call 3', 'call 4', 'turn ends', 'call 5', 'turn ends'],
    ...['answers call 1, call 2', 'answers call 3, call 4', 'answers call 5'],
  ]);
});

it('ends a turn also for what is no call: a cancel, a sign of life', async () => {
  expect(await happenings({ calls: [call(1, HEAVY)], pong: 7 })).toEqual([
    ...['call 1', 'turn ends', 'pong', 'turn ends'],
    'answers call 1',
  ]);
  expect(await happenings({ calls: [], cancels: [7] })).toEqual(['turn ends']);
});
