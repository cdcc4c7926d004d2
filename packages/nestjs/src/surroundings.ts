import { type Clock, type JobStore } from '@holdfast/contract';
import { type Connection } from './connection/connection.js';

/** Injects the `Surroundings` of the application, where they are not the real ones. */
export const SURROUNDINGS = 'HoldfastTestingModule';

/** What stands in the place of the world around an application: tests bring it. */
export interface Surroundings {
  /** The time of workers and stores. */
  readonly clock: Clock;
  /** In place of the store that the options of the connection name, which is never opened. */
  openStore(connection: string): Promise<JobStore>;
  /** Called once for each connection, before any queue of it is made. */
  meet(connection: Connection): void;
  /** The store as workers get it. */
  storeOfWorkers(store: JobStore): JobStore;
  /** A worker closes, which may take time. */
  letEnd(closing: Promise<void>): Promise<void>;
}
