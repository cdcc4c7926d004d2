import { expect, it } from 'vitest';
import type { Port } from '../protocol/port.js';
import { PortClient } from './port-client.js';

const NOTHING = { opened: () => {}, refused: () => {}, notice: () => {}, ended: () => {}, fatal: () => {} };

/** A port whose far end always has an answer ready, and that hands out one message after the other, as Node does, while there is one. */
class PromptPort implements Port {
  posted: { readonly calls: readonly { readonly call: number }[] }[] = [];
  #tell: (message: unknown) => void = () => {};

  listen(onMessage: (message: unknown) => void): void {
    this.#tell = onMessage;
  }

  post(message: unknown): void {
    this.posted.push(message as (typeof this.posted)[number]);
  }

  receive(): undefined {}

  close(): void {}

  open(): void {
    this.#tell({ kind: 'opened', greeting: undefined });
  }

  /** Answers what was posted until nothing is. @returns how many messages it handed out in a row */
  async handOut(): Promise<number> {
    let count = 0;
    for (let message = this.posted.shift(); message !== undefined; message = this.posted.shift()) {
      this.#tell({ kind: 'answers', answers: message.calls.map(({ call }) => ({ call, answer: undefined })) });
      count++;
      // What Node runs before it hands out the next one.
      await new Promise<void>((resolve) => process.nextTick(() => process.nextTick(resolve)));
    }
    return count;
  }
}

function attached() {
  const client = new PortClient(
    (work) => work(),
    () => {},
  );
  const port = new PromptPort();
  client.attach(port, NOTHING);
  port.open();
  return { client, port };
}

it('lets the event loop come round though each answer leads to a call that is answered at once', async () => {
  const { client, port } = attached();
  let answers = 0;
  const ask = (): void => {
    client.send('ask', undefined, {
      outcomeWhenLost: 'unknown',
      settled: () => {
        answers++;
        ask();
      },
    });
  };
  ask();
  await new Promise((resolve) => process.nextTick(resolve));
  const inRow = await port.handOut();
  expect(inRow).toBeGreaterThan(8);
  expect(inRow).toBeLessThan(100);
  expect([answers, port.posted.length]).toEqual([inRow, 0]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(port.posted).toHaveLength(1);
  expect(await port.handOut()).toBeGreaterThan(8);
});

it('waits for no event loop where messages come one by one', async () => {
  const { client, port } = attached();
  for (let lone = 0; lone < 200; lone++) {
    const answered = new Promise<void>((resolve) => {
      client.send('ask', undefined, { outcomeWhenLost: 'unknown', settled: () => resolve() });
    });
    await new Promise((resolve) => process.nextTick(resolve));
    expect(port.posted, `call ${lone}`).toHaveLength(1);
    await port.handOut();
    await answered;
    await new Promise((resolve) => setImmediate(resolve));
  }
});
