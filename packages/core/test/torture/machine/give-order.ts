import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from './child-process.js';

const ANSWER_MS_MAX = 150_000;

/**
 * Gives an order to a child that answers orders with lines of JSON, and waits until it was carried out. Orders of different names may
 * be under way at the same time.
 */
export async function giveOrder<Answer>(child: Child, line: string): Promise<Answer> {
  const from = child.lines.length;
  const begin = `{"order":"${line.split(' ')[0]}"`;
  child.tell(line);
  for (let waitedMs = 0; waitedMs < ANSWER_MS_MAX && !child.isGone; waitedMs += 5) {
    const answer = child.lines.slice(from).find((each) => each.startsWith(begin));
    if (answer !== undefined) return JSON.parse(answer);
    await pause(5);
  }
  throw new Error(`"${line}" was not carried out. ${child.isGone ? (await child.ended).errors : ''}`);
}
