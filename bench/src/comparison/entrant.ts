import type { ComparedQueue, Place } from './compared-queue.js';

export type RedisDurability = 'no' | 'everysec' | 'always';

/** What has to run beside the application. */
export type ServerNeed =
  | { readonly kind: 'redis'; readonly appendFsync: RedisDurability }
  | { readonly kind: 'postgres' }
  | { readonly kind: 'beanstalkd' };

/** What was chosen for a peer, why, and where that is advised. */
export interface Setting {
  readonly setting: string;
  readonly why: string;
  /** A page of the peer, or of ours for what is written by hand. */
  readonly source: string;
}

/** A queue at one setting of its durability. */
export interface Entrant {
  readonly name: string;
  readonly title: string;
  readonly server?: ServerNeed;
  /** A driver of SQLite that is built for the Node of the run. */
  readonly sqlite?: true;
  /** What the disk has of a job whose enqueue was answered, when the power goes. */
  readonly afterPowerCut: string;
  readonly settings: readonly Setting[];
  /** Jobs that it drains in about two seconds. */
  readonly drainJobs: number;
  /** Absent: those that every peer is asked for. 1 where there are no retries. */
  readonly attemptsMax?: number;
  open(place: Place): Promise<ComparedQueue>;
}
