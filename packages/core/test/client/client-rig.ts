import { VirtualClock } from '@holdfast/testing';
import type { EngineProcess } from '../../src/client/engine-process.js';
import type { LogStore } from '../../src/client/log-store.js';
import { LogStoreClient } from '../../src/client/log-store-client.js';
import type { EngineHooks } from '../../src/host/engine-host.js';
import { startEngineInThread } from '../../src/open-in-thread-store.js';
import { openPortPair } from '../../src/protocol/port-pair.js';
import { FakeEngine } from './fake-engine.js';

/** A client with fake engines behind an in-process port, on virtual time. */
export class ClientRig {
  readonly clock = new LeapingClock();
  /** One for each start; the last one is running. */
  readonly engines: FakeEngine[] = [];
  /** Thrown by the coming starts, one each. */
  readonly openErrors: unknown[] = [];
  /** What the client runs once its thread has caught up: called by the test. */
  readonly whenCaughtUp: (() => void)[] = [];
  /** What each start was told about the store that was open before. */
  readonly formerStoreTags: (string | undefined)[] = [];
  /** Coming starts never say a word. */
  mute = false;
  /** Why engines that are started from now on take no jobs. */
  fullWhenOpened: string | undefined;
  #hooks: EngineHooks | undefined;
  #kill: (() => void) | undefined;

  open(): Promise<LogStore> {
    return LogStoreClient.open({
      clock: this.clock,
      location: '/data/queue',
      openTimeoutMs: 60_000,
      afterOverdueWork: (call) => this.whenCaughtUp.push(call),
      startEngine: (formerStoreTag) => {
        this.formerStoreTags.push(formerStoreTag);
        const engineProcess = this.mute
          ? muteEngine()
          : startEngineInThread(this.clock, (hooks) => this.#openEngine(hooks));
        this.#kill = () => engineProcess.kill();
        return engineProcess;
      },
    });
  }

  get engine(): FakeEngine {
    const engine = this.engines.at(-1);
    if (engine === undefined) throw new Error('No engine was started.');
    return engine;
  }

  get hooks(): EngineHooks {
    if (this.#hooks === undefined) throw new Error('No engine was started.');
    return this.#hooks;
  }

  /** As when the thread is terminated. */
  killEngine(): void {
    this.#kill?.();
  }

  #openEngine(hooks: EngineHooks): FakeEngine {
    if (this.openErrors.length > 0) throw this.openErrors.shift();
    this.#hooks = hooks;
    const engine = new FakeEngine();
    engine.full = this.fullWhenOpened;
    this.engines.push(engine);
    return engine;
  }
}

/** Virtual time that can also pass while this thread does nothing. */
class LeapingClock extends VirtualClock {
  #leaptMs = 0;

  leap(ms: number): void {
    this.#leaptMs += ms;
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.#leaptMs;
  }
}

function muteEngine(): EngineProcess {
  const [port] = openPortPair();
  let end: (how: string) => void = () => {};
  const gone = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { port, gone, kill: () => end('It was ended.'), hold: () => {} };
}
