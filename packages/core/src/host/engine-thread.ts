import { type MessagePort, workerData } from 'node:worker_threads';
import type { Retention } from '@holdfast/contract';
import { LogEngine } from '../engine/log-engine.js';
import { NodeFileSystem } from '../log/node-file-system.js';
import { ThreadPort } from '../protocol/thread-port.js';
import { systemClock } from '../system-clock.js';
import { systemRandom } from '../system-random.js';
import { EngineHost } from './engine-host.js';

/** What the application's thread gives to the thread of its engine. */
export interface EngineThreadData {
  readonly port: MessagePort;
  readonly directory: string;
  readonly segmentBytes: number;
  readonly reserveBytes: number;
  readonly retention: Retention;
  readonly formerStoreTag: string | undefined;
}

/** The entry of the engine's own thread: here the engine meets the real disk, the real clock and real chance. */
const data: EngineThreadData = workerData;

new EngineHost({
  port: new ThreadPort(data.port, true),
  clock: systemClock,
  openEngine: (hooks) =>
    LogEngine.open({
      log: { directory: data.directory, segmentBytes: data.segmentBytes, reserveBytes: data.reserveBytes },
      fileSystem: new NodeFileSystem(),
      clock: systemClock,
      random: systemRandom,
      retention: data.retention,
      formerStoreTag: data.formerStoreTag,
      ...hooks,
    }),
  onEnd: () => process.exit(),
}).start();
