import { JobAbortedError, JobTimeoutError, type LeasedJob, UnrecoverableError } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { type Outcome, outcomeOfThrow, toJobError } from './outcome.js';

const refuse = (): never => {
  throw new Error('not to be read');
};
const errorWith = (descriptors: PropertyDescriptorMap): Error => Object.defineProperties(new Error('x'), descriptors);
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const noText: unknown = Object.create(null);

/** By what is wrong with it. */
const UNREADABLE: [string, unknown][] = [
  ['message', errorWith({ message: { get: refuse } })],
  ['name', errorWith({ name: { get: refuse } })],
  ['stack', errorWith({ stack: { get: refuse } })],
  ['cause', errorWith({ cause: { get: refuse } })],
  ['constructor', errorWith({ constructor: { value: undefined } })],
  ['a class without a text for a name', errorWith({ constructor: { value: { name: Symbol('name') } } })],
  ['a symbol for a message', errorWith({ message: { value: Symbol('message') } })],
  ['no text for a message', errorWith({ message: { value: noText } })],
  ['no text for a stack', errorWith({ stack: { value: noText } })],
  ['a cause without a prototype', errorWith({ cause: { value: new Proxy({}, { getPrototypeOf: refuse }) } })],
  ['all of it', new Proxy(new Error('x'), { get: refuse, getPrototypeOf: refuse })],
  ['a revoked proxy', revoked.proxy],
  ['JSON that is nothing', { toJSON: () => undefined }],
  [
    'neither JSON nor a text',
    {
      toJSON: refuse,
      get [Symbol.toStringTag]() {
        return refuse();
      },
    },
  ],
];

/** Of an attempt of job-1 that may take a second. */
function endOf(thrown: unknown, aborted?: JobAbortedError): Outcome {
  return outcomeOfThrow(thrown, aborted, { job: { id: 'job-1' } as LeasedJob, timeoutMs: 1000 });
}

describe('outcomeOfThrow', () => {
  const shutdown = new JobAbortedError('job-1', 'shutdown');
  const abortError = Object.assign(new Error('This operation was aborted'), { name: 'AbortError' });

  it('fails with backoff, or dead for an UnrecoverableError', () => {
    expect(endOf(new Error('x'))).toMatchObject({ kind: 'failed', next: 'backoff' });
    expect(endOf(new UnrecoverableError('x'))).toMatchObject({ kind: 'failed', next: 'dead' });
  });

  it('takes an UnrecoverableError by its name: that of another queue, or ours loaded twice', () => {
    class Foreign extends Error {
      override readonly name = 'UnrecoverableError';
    }
    for (const thrown of [new Foreign('x'), { name: 'UnrecoverableError', message: 'x' }]) {
      expect(thrown).not.toBeInstanceOf(UnrecoverableError);
      expect(endOf(thrown)).toMatchObject({ kind: 'failed', next: 'dead' });
    }
    expect(endOf('UnrecoverableError')).toMatchObject({ next: 'backoff' });
    expect(endOf(null)).toMatchObject({ next: 'backoff' });
  });

  it.each([shutdown, new Error('x', { cause: shutdown }), abortError])(
    'hands back what stopped for a shutdown: %s',
    (thrown) => {
      expect(endOf(thrown, shutdown)).toEqual({ kind: 'released' });
    },
  );

  it.each([JobTimeoutError, Error])(
    'ends what stopped for its time limit as timed out, and nothing else: %s',
    (asked) => {
      const timeout = new JobAbortedError('job-1', 'timeout');
      const thrown = asked === Error ? new Error('disk full') : timeout;
      expect(endOf(thrown, timeout)).toMatchObject({ kind: 'failed', thrown: expect.any(asked), next: 'backoff' });
      expect(endOf(new Error('x'), timeout)).not.toMatchObject({ thrown: expect.any(JobTimeoutError) });
    },
  );

  it('fails what threw for another reason during a shutdown, and an abort that nobody asked for', () => {
    expect(endOf(new Error('disk full'), shutdown).kind).toBe('failed');
    expect(endOf(abortError).kind).toBe('failed');
  });
});

describe('toJobError', () => {
  it('names the class also when it does not name itself', () => {
    class MailRefused extends Error {}
    expect(toJobError(new MailRefused('550')).class).toBe('MailRefused');
    expect(toJobError(new TypeError('x')).class).toBe('TypeError');
    expect(toJobError(Object.assign(new Error('x'), { name: 'Custom' })).class).toBe('Custom');
  });

  it('keeps the causes in the stack', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { stack } = toJobError(new TypeError('fetch failed', { cause: new Error('socket', { cause: refused }) }));
    expect(stack).toMatch(/fetch failed[\s\S]*caused by Error: socket[\s\S]*caused by Error: connect ECONNREFUSED/);
  });

  it('names the innermost cause in the message, within its limit', () => {
    const messageOf = (message: string, cause: unknown) => toJobError(new TypeError(message, { cause })).message;
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(messageOf('fetch failed', refused)).toBe('fetch failed (caused by connect ECONNREFUSED 127.0.0.1:1)');
    expect(messageOf('fetch failed', new Error('socket', { cause: refused }))).toMatch(/caused by connect ECONN/);
    const silent = Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' });
    expect(messageOf('fetch failed', silent)).toBe('fetch failed (caused by ECONNREFUSED)');
    const reset = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    expect(messageOf('fetch failed', reset)).toBe('fetch failed (caused by UND_ERR_SOCKET: other side closed)');
    expect(messageOf('no mail: out of paper', new Error('out of paper'))).toBe('no mail: out of paper');
    const long = messageOf('€'.repeat(10_000), new Error('x'.repeat(10_000)));
    expect(long).toMatch(/€ \(caused by x{500}\)$/);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(8192);
  });

  it('survives causes that go in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(toJobError(error).stack?.match(/caused by/g)).toHaveLength(3);
  });

  it.each([
    ['a string', 'out of paper', { class: 'string', message: 'out of paper' }],
    ['null', null, { class: 'null', message: 'null' }],
    ['undefined', undefined, { class: 'undefined', message: 'undefined' }],
    ['an object', { code: 7 }, { class: 'object', message: '{"code":7}' }],
    ['an object that is not JSON', { big: 1n }, { class: 'object', message: '[object Object]' }],
  ])('describes %s', (_, thrown, expected) => {
    expect(toJobError(thrown)).toEqual(expected);
  });

  it.each(UNREADABLE)('makes a failure of what cannot be read: %s', (_, thrown) => {
    const error = toJobError(thrown);
    expect(error).toMatchObject({ class: expect.stringMatching(/./), message: expect.any(String) });
    expect(endOf(thrown, new JobAbortedError('job-1', 'shutdown')).kind).toBe('failed');
  });

  it('cuts to the limits of the store without breaking a character', () => {
    const { message, stack } = toJobError(new Error('€'.repeat(10_000)));
    expect(Buffer.byteLength(message)).toBe(8190);
    expect(message).toBe('€'.repeat(2730));
    expect(Buffer.byteLength(stack ?? '')).toBeLessThanOrEqual(8192);
  });
});
