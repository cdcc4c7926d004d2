import type { Clock, Random, RetentionOptions } from '@holdfast/contract';
import { checkedRetention } from '@holdfast/contract/rules';
import type { EngineProcess } from './client/engine-process.js';
import type { LogStore } from './client/log-store.js';
import { LogStoreClient } from './client/log-store-client.js';
import { afterOverdueWork } from './client/overdue-work.js';
import type { AfterOverdueWork } from './client/port-client.js';
import { LogEngine } from './engine/log-engine.js';
import { EngineHost } from './host/engine-host.js';
import { LIMITS } from './limits.js';
import type { FileSystem } from './log/file-system.js';
import { openPortPair } from './protocol/port-pair.js';

export interface InThreadStoreOptions {
  readonly directory: string;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly segmentBytes?: number;
  /** Default: none. */
  readonly diskReserveBytes?: number;
  readonly retention?: RetentionOptions;
  /** When the application has caught up; by default after the timers of Node that are overdue. */
  readonly afterOverdueWork?: AfterOverdueWork;
}

/**
 * The same store as `openLogStore`, engine and all, in the caller's own thread, with time, disk and chance by argument: what
 * happens depends on them alone. For tests: here a long handler stalls the engine too.
 */
export function openInThreadStore(options: InThreadStoreOptions): Promise<LogStore> {
  const { directory, fileSystem, clock, random } = options;
  return LogStoreClient.open({
    startEngine: (formerStoreTag) =>
      startEngineInThread(clock, (hooks) =>
        LogEngine.open({
          log: {
            directory,
            segmentBytes: options.segmentBytes ?? LIMITS.segmentBytesDefault,
            reserveBytes: options.diskReserveBytes ?? 0,
          },
          fileSystem,
          clock,
          random,
          retention: checkedRetention(options.retention),
          formerStoreTag,
          ...hooks,
        }),
      ),
    clock,
    afterOverdueWork: options.afterOverdueWork ?? afterOverdueWork,
    location: directory,
    openTimeoutMs: Number.MAX_SAFE_INTEGER,
  });
}

type OpenEngine = ConstructorParameters<typeof EngineHost>[0]['openEngine'];

/** A killed engine cannot be stopped inside one thread: it is cut off from its port, as if nobody heard it any more. */
export function startEngineInThread(clock: Clock, openEngine: OpenEngine): EngineProcess {
  const [port, hostPort] = openPortPair();
  let end: (how: string) => void = () => {};
  const gone = new Promise<string>((resolve) => {
    end = resolve;
  });
  const host = new EngineHost({ port: hostPort, clock, openEngine, onEnd: () => end('The engine ended.') });
  queueMicrotask(() => host.start());
  return { port, gone, kill: () => end('The engine was ended.'), hold: () => {} };
}
