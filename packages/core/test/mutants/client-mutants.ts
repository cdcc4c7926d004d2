import type { CatchingTest, Mutant } from './mutant.js';

const CLIENT = 'packages/core/src/client';
const HOST = 'packages/core/src/host';

const client = (title: string): CatchingTest => ({ file: 'packages/core/test/client/log-store-client.test.ts', title });
const loss = (title: string): CatchingTest => ({ file: 'packages/core/test/client/engine-loss.test.ts', title });

/** Between the application's thread and the engine's. */
export const CLIENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'answers-mixed-up',
    mistake: 'Calls that crossed together get the answers of each other.',
    file: `${CLIENT}/merged-calls.ts`,
    text: 'results[index] = resultAt(next++);',
    replacement: 'results[index] = resultAt(index + 0 * next);',
    caughtBy: client('are one call to the engine for each kind, settling first, and each gets its own answer'),
  },
  {
    name: 'refused-call-half-sent',
    mistake: 'Of a call that is refused for its second job, the first one is enqueued.',
    file: `${CLIENT}/merged-calls.ts`,
    text: 'batching.cutTo(count, weight);',
    replacement: 'void [count, weight];',
    caughtBy: client('leave the others alone when one of them is refused'),
  },
  {
    name: 'settling-after-questions',
    mistake: 'A question overtakes the calls that were made before it.',
    file: `${CLIENT}/port-client.ts`,
    text: 'this.#waiting.push(...this.#single);',
    replacement: 'this.#waiting.unshift(...this.#single);',
    caughtBy: client('are one call to the engine for each kind, settling first, and each gets its own answer'),
  },
  {
    name: 'lost-call-told-as-rejected',
    mistake: 'A call that was under way when the engine was lost is told as not applied.',
    file: `${CLIENT}/merged-calls.ts`,
    text: "outcomeWhenLost: 'unknown',",
    replacement: "outcomeWhenLost: 'rejected',",
    caughtBy: loss('settles what was under way as unknown, what changes nothing as rejected, and comes back'),
  },
  {
    name: 'lost-call-unanswered',
    mistake: 'A call that was under way when the engine was lost is never answered.',
    file: `${CLIENT}/port-client.ts`,
    text: 'for (const pending of this.#sent.takeAll())',
    replacement: 'for (const pending of this.#sent.takeAll().slice(this.#lastCall))',
    caughtBy: loss('leaves no call without an answer when it is lost, nor when the store is closed meanwhile'),
  },
  {
    name: 'close-leaves-calls',
    mistake: 'Calls that wait for a lost engine are not answered when the store is closed.',
    file: `${CLIENT}/engine-keeper.ts`,
    text: 'this.#options.calls.rejectWaiting(new StoreClosedError());',
    replacement: '',
    caughtBy: loss('leaves no call without an answer when it is lost, nor when the store is closed meanwhile'),
  },
  {
    name: 'reopens-anything',
    mistake: 'The engine is not told which store it had open before.',
    file: `${CLIENT}/log-store-client.ts`,
    text: "options.startEngine(this.#storeTag === '' ? undefined : this.#storeTag)",
    replacement: 'options.startEngine(undefined)',
    caughtBy: loss('is opened again with the store that it had before'),
  },
  {
    name: 'damage-tried-again',
    mistake: 'A damaged log is opened again and again.',
    file: `${CLIENT}/engine-keeper.ts`,
    text: 'if (known !== undefined && LASTING.has(known.code)) {',
    replacement: 'if (known !== undefined && LASTING.size === 0) {',
    caughtBy: loss('stays failed when its log is damaged'),
  },
  {
    name: 'reopened-without-pause',
    mistake: 'A lost engine is opened again at full speed.',
    file: `${CLIENT}/engine-keeper.ts`,
    text: 'Math.min(this.#reopenDelayMs * 2, REOPEN_DELAY_MS_MAX)',
    replacement: 'Math.min(this.#reopenDelayMs, REOPEN_DELAY_MS_MAX)',
    caughtBy: loss('is opened again with growing pauses; calls wait ten seconds and are then rejected'),
  },
  {
    name: 'aborted-claim-keeps-jobs',
    mistake: 'Jobs that were leased to a claim after its abort stay leased.',
    file: `${CLIENT}/log-store-client.ts`,
    text: 'return signal?.aborted ? await this.#handBack(jobs) : jobs;',
    replacement: 'return signal?.aborted ? [] : jobs;',
    caughtBy: client('hands back what was leased to it before the abort arrived'),
  },
  {
    name: 'alive-too-soon',
    mistake: 'The application is said to be alive before it has done what it was late for.',
    file: `${CLIENT}/port-client.ts`,
    text: 'this.#afterOverdueWork(() => {\n',
    replacement: '((call: () => void) => call())(() => {\n',
    caughtBy: client('is given after the calls that were made before it, and only then leases end'),
  },
  {
    name: 'late-job-not-extended',
    mistake: 'A job that lay in a blocked thread for most of its lease starts with what is left of it.',
    file: `${CLIENT}/log-store-client.ts`,
    text: 'if (late) this.#extends',
    replacement: 'if (late && jobs.length === 0) this.#extends',
    caughtBy: client('comes after leases that this thread got late were extended'),
  },
  {
    name: 'close-keeps-leases',
    mistake: 'Jobs that are leased when the store is closed wait for the end of their leases.',
    file: `${HOST}/engine-host.ts`,
    text: 'handBackLeases(engine);',
    replacement: 'void handBackLeases;',
    caughtBy: client('lets what was asked before it finish, hands leases back, and is done only once'),
  },
  {
    name: 'broken-engine-goes-on',
    mistake: 'An engine that met an error of its own goes on.',
    file: `${HOST}/port-server.ts`,
    text: 'if (!(error instanceof HoldfastError)) this.#events.broke(error);',
    replacement: 'void HoldfastError;',
    caughtBy: loss('breaks off when a handler meets an error of its own, because its state cannot be trusted'),
  },
];
