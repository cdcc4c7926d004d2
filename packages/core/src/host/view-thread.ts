import { type MessagePort, workerData } from 'node:worker_threads';
import type { Retention } from '@holdfast/contract';
import { LogView } from '../engine/log-view.js';
import { LogSnapshot } from '../log/log-snapshot.js';
import { NodeFileSystem } from '../log/node-file-system.js';
import { ThreadPort } from '../protocol/thread-port.js';
import { systemClock } from '../system-clock.js';
import { EngineHost } from './engine-host.js';

/** What the application's thread gives to the thread that shows it a log. */
export interface ViewThreadData {
  readonly port: MessagePort;
  readonly directory: string;
  readonly retention: Retention;
  readonly formerStoreTag: string | undefined;
}

/** The entry of a thread that reads a log, as it is when the thread starts, and answers questions about it. */
const { port, ...options }: ViewThreadData = workerData;

new EngineHost({
  port: new ThreadPort(port, true),
  clock: systemClock,
  openEngine: () => {
    const fileSystem = LogSnapshot.take(new NodeFileSystem(), options.directory);
    return LogView.open({ ...options, fileSystem, clock: systemClock });
  },
  // Its files are closed with it.
  onEnd: () => process.exit(),
}).start();
