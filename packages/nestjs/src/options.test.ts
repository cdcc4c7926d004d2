import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openLogStore } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { startAppWith } from '../test/start-app.js';
import { temporaryDirectory } from '../test/temporary-directory.js';
import { logStore } from './connection/log-store.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';

/** What a program in plain JavaScript can write. */
type Given = Readonly<Record<string, unknown>>;

/** An application that is given all that, none of which may be wrong but one. */
function start({ root = {}, log = {}, queue = {}, processor = {} }: Readonly<Record<string, Given>>) {
  const directory = join(temporaryDirectory(), 'queue');
  class Mailer {
    send() {}
  }
  Process('send')(Mailer.prototype, 'send', Object.getOwnPropertyDescriptor(Mailer.prototype, 'send')!);
  const boot = async () => {
    Processor('mail', processor)(Mailer);
    const holdfast = HoldfastModule.forRoot({ store: logStore({ directory, ...log }), ...root });
    const mail = HoldfastModule.registerQueue({ name: 'mail', ...queue });
    return startAppWith(holdfast, { imports: [mail], providers: [Mailer] }, directory);
  };
  return { directory, booting: boot() };
}

const NONE_OF_THEM = ['5', Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, null, true, {}, [], 5n];
const each = (options: readonly string[], values: readonly unknown[]) =>
  options.flatMap((option) => values.map((value) => [option, value] as const));

describe('before anything is opened or written the boot fails, naming option and value, for', () => {
  it.each([
    ...each(['graceMs', 'openTimeoutMs', 'lockWaitMs'], NONE_OF_THEM),
    ...each(['globalEnhancers', 'tracing', 'around'], ['yes', 1, null, {}, Number.NaN]),
    ...each(['connection'], ['', 1, null, {}]),
    ...each(['gracems', 'queues'], [5]),
  ])('forRoot with %s: %s', async (option, value) => {
    const { booting, directory } = start({ root: { [option]: value } });
    await expect(booting).rejects.toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    await expect(booting).rejects.toThrow(option);
    expect(existsSync(directory)).toBe(false);
  });

  it.each([
    ...each(['segmentBytes', 'diskReserveBytes', 'openTimeoutMs'], NONE_OF_THEM),
    ...each(['retention'], ['yes', 5, null, []]),
    ...each(['segmentbytes'], [1_000_000]),
  ])('logStore with %s: %s', async (option, value) => {
    const { booting, directory } = start({ log: { [option]: value } });
    await expect(booting).rejects.toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    await expect(booting).rejects.toThrow(option);
    expect(existsSync(directory)).toBe(false);
  });

  it.each([
    ...each(['queueName'], ['', 5, null, {}, 'x'.repeat(101)]),
    ...each(['connection'], ['', 5, null]),
    ...each(['isGlobal'], ['yes', 1, null]),
    ...each(['defaults'], ['x', 5, null, [], () => 1, { maxattempts: 5 }, { maxAttempts: Number.NaN }]),
    ...each(['codec', 'schemas'], ['json', 5, null, []]),
    ...each(['codec'], [{ encode: () => '' }]),
    ...each(['schemas'], [{ send: { type: 'string' } }]),
    ...each(['default', 'limiter'], [{}]),
  ])('registerQueue with %s: %s', async (option, value) => {
    const { booting, directory } = start({ queue: { [option]: value } });
    await expect(booting).rejects.toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    await expect(booting).rejects.toThrow(option === 'queueName' ? 'queue name' : option);
    expect(existsSync(directory)).toBe(false);
  });

  it.each([
    ...each(['concurrency', 'leaseMs', 'timeoutMs'], [...NONE_OF_THEM, 0, 1e12]),
    ...each(['backoffs'], ['x', 5, null, [], { slow: 5 }]),
    ...each(['autoStart'], ['no', 0, null]),
    ...each(['names'], ['send', 5, null, [5], ['']]),
    ...each(['connection'], ['', 5, null]),
    ...each(['concurency'], [3]),
  ])('@Processor with %s: %s', async (option, value) => {
    const { booting, directory } = start({ processor: { [option]: value } });
    await expect(booting).rejects.toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    await expect(booting).rejects.toThrow(option);
    expect(existsSync(directory)).toBe(false);
  });
});

describe('what a factory makes is looked at in the same way', () => {
  const registered = HoldfastModule.registerQueue({ name: 'mail' });

  it.each([
    ['answers nothing', undefined, /store of HoldfastModule is undefined/],
    ['misspells', { gracems: 5 }, /options of HoldfastModule is "gracems".*graceMs/],
    ['names the connection, which stands beside it', { connection: 'reports' }, /"connection"/],
  ])('forRootAsync: it %s', async (_, made, message) => {
    const directory = join(temporaryDirectory(), 'queue');
    const useFactory = () => (made === undefined ? made : { store: logStore({ directory }), ...made }) as never;
    const boot = startAppWith(HoldfastModule.forRootAsync({ useFactory }), { imports: [registered] }, directory);
    await expect(boot).rejects.toThrow(message);
    expect(existsSync(directory)).toBe(false);
  });

  it.each([
    ['answers nothing', undefined, /settings of the queue "mail" is undefined, but must be an object/],
    ['answers a text', 'mail', /settings of the queue "mail" is "mail"/],
    ['misspells', { default: {} }, /"default".*defaults/],
    ['has another name', { name: 'post' }, /"name".*queueName/],
  ])('registerQueueAsync: it %s, and the store is closed again', async (_, made, message) => {
    const directory = temporaryDirectory();
    const root = HoldfastModule.forRoot({ store: logStore({ directory }) });
    const queue = HoldfastModule.registerQueueAsync({ name: 'mail', useFactory: () => made as never });
    await expect(startAppWith(root, { imports: [queue] }, directory)).rejects.toThrow(message);
    await (await openLogStore({ directory })).close();
  });

  it('@Processor: it misspells', async () => {
    @Processor('mail', { useFactory: () => ({ concurency: 3 }) as never })
    class Mailer {
      @Process('send')
      send() {}
    }
    const root = HoldfastModule.forRoot({ store: logStore({ directory: temporaryDirectory() }) });
    const boot = startAppWith(root, { imports: [registered], providers: [Mailer] }, '');
    await expect(boot).rejects.toThrow(/@Processor on Mailer is "concurency".*concurrency/);
  });

  it('a class has no method that makes them', async () => {
    class Nothing {}
    const root = HoldfastModule.forRootAsync({ useClass: Nothing as never });
    await expect(startAppWith(root, { imports: [registered] }, '')).rejects.toThrow(
      /createHoldfastOptions .*forRootAsync/,
    );
  });
});

describe('a call says what it is missing, where it stands', () => {
  const { forRootAsync, registerQueueAsync, forRoot, registerQueue } = HoldfastModule;
  const useFactory = () => ({}) as never;

  it.each([
    ['no way to the options', () => forRootAsync({} as never), /forRootAsync is "absent".*exactly one of useFactory/],
    ['a class of a circle of imports', () => forRootAsync({ useClass: undefined } as never), /circle of imports/],
    ['two ways', () => forRootAsync({ useFactory, useClass: class {} as never }), /"useFactory and useClass"/],
    ['a factory that is none', () => forRootAsync({ useFactory: 5 } as never), /useFactory of .*forRootAsync is 5/],
    ['a misspelt name', () => forRootAsync({ useFactory, imports: [], injects: [] } as never), /"injects".*inject/],
    ['nothing', () => forRootAsync(undefined as never), /forRootAsync is undefined/],
    ['nothing', () => forRoot(undefined as never), /forRoot is undefined/],
    ['nothing', () => registerQueue(undefined as never), /registerQueue is undefined/],
    ['a text', () => registerQueue('mail' as never), /registerQueue is "mail", but must be an object/],
    [
      'a setting beside its factory',
      () => registerQueueAsync({ name: 'mail', useFactory, defaults: {} } as never),
      /"defaults"/,
    ],
    ['no way to the settings', () => registerQueueAsync({ name: 'mail' } as never), /registerQueueAsync is "absent"/],
    ['nothing', () => Processor(null as never), /@Processor is given is null/],
  ])('%s: %s', (_, call: () => unknown, message) => {
    expect(call).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(call).toThrow(message);
  });

  it.each([[undefined], [null], [{}]])('a source opens %s', async (opened) => {
    const root = HoldfastModule.forRoot({ store: { open: async () => opened as never } });
    await expect(startAppWith(root, {}, '')).rejects.toThrow(/store of HoldfastModule opens is .*open JobStore/);
  });
});
