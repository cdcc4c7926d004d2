import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Output } from './output.js';

/** A stream whose reader takes what it gets when the test says so, or fails. */
class SlowStream extends Writable {
  taken = '';
  #waiting: (() => void) | undefined;
  readonly #failure: NodeJS.ErrnoException | undefined;

  constructor(code?: string) {
    super();
    this.#failure = code === undefined ? undefined : Object.assign(new Error(code), { code });
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.taken += piece.toString();
    if (this.#failure !== undefined) done(this.#failure);
    else this.#waiting = done;
  }

  take(): void {
    this.#waiting?.();
  }
}

it('waits for its reader once a piece is pending, and not before', async () => {
  const stream = new SlowStream();
  const output = new Output(stream);
  output.line('small');
  await output.settle();
  expect(stream.taken).toBe('');
  output.line('x'.repeat(70_000));
  let settled = false;
  const settling = output.settle().then(() => {
    settled = true;
  });
  await new Promise(setImmediate);
  expect({ settled, taken: stream.taken.length }).toEqual({ settled: false, taken: 70_007 });
  stream.take();
  await settling;
});

it('drops what is written after its reader went away, without an error', async () => {
  const output = new Output(new SlowStream('EPIPE'));
  output.line('one');
  await output.flush();
  expect(output.gone).toBe(true);
  output.line('two');
  await output.flush();
});

it('tells any other failure', async () => {
  const output = new Output(new SlowStream('ENOSPC'));
  output.line('one');
  await expect(output.flush()).rejects.toMatchObject({ code: 'ENOSPC' });
});

it('colours a line only where that was chosen, and around what is escaped', async () => {
  for (const [coloured, expected] of [
    [true, '\u001b[31ma\\u001bb\u001b[0m\n'],
    [false, 'a\\u001bb\n'],
  ] as const) {
    const stream = new SlowStream();
    const output = new Output(stream, coloured);
    output.line('a\u001bb', 'bad');
    const flushed = output.flush();
    stream.take();
    await flushed;
    expect(stream.taken).toBe(expected);
  }
});
