import type {
  ActedBy,
  ActOutcome,
  Clock,
  HoldfastError,
  JobDetail,
  JobFilter,
  JobRow,
  LeaseExpiry,
  LeaseRow,
  Page,
  PageRequest,
  QueueSummary,
  Random,
  Selection,
  StorageReport,
  StoreMetrics,
} from '@holdfast/contract';
import { InvariantError } from '../invariant.js';
import type { FileSystem } from '../log/file-system.js';
import type {
  ClaimedJob,
  Done,
  EngineAck,
  EngineClaim,
  EngineExtend,
  EngineFail,
  EngineJob,
  EngineRelease,
  EnqueueAnswer,
  PendingClaim,
  SettleDone,
} from './engine-calls.js';

export interface EngineOptions {
  readonly log: { readonly directory: string; readonly segmentBytes: number };
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly completedKeptPerQueue: number;
  /** Called once when the log failed. Every pending call was answered with an unknown outcome before. */
  onFatal(error: HoldfastError): void;
  /**
   * Leases have passed their deadline: whoever speaks for the application finds out whether it is alive and then calls
   * `expireLeases`. Asked again at most once a second while nobody does.
   */
  onLeasesDue(): void;
}

/** The log store itself, in one thread, in callbacks and numbers. */
export class LogEngine {
  /** Replays the log and makes it writable. Synchronous; throws what SegmentedLog.open throws. */
  static open(_options: EngineOptions): LogEngine {
    return pending();
  }

  private constructor(
    /** Marks the ids of this store: see identity.ts. */
    readonly storeTag: string,
  ) {}

  enqueue(_jobs: readonly EngineJob[], _done: Done<EnqueueAnswer>): void {
    pending();
  }

  claim(_request: EngineClaim, _done: Done<readonly ClaimedJob[]>): PendingClaim {
    return pending();
  }

  ack(_items: readonly EngineAck[], _done: SettleDone): void {
    pending();
  }

  fail(_items: readonly EngineFail[], _done: SettleDone): void {
    pending();
  }

  release(_items: readonly EngineRelease[], _done: SettleDone): void {
    pending();
  }

  extend(_items: readonly EngineExtend[], _done: SettleDone): void {
    pending();
  }

  redrive(_selection: Selection, _by: ActedBy, _done: Done<ActOutcome>): void {
    pending();
  }

  queues(): QueueSummary[] {
    return pending();
  }

  job(_id: string): JobDetail | undefined {
    return pending();
  }

  browse(_filter: JobFilter, _page: PageRequest): Page<JobRow> {
    return pending();
  }

  leases(_limit: number): LeaseRow[] {
    return pending();
  }

  leaseExpiries(): LeaseExpiry[] {
    return pending();
  }

  metrics(): StoreMetrics {
    return pending();
  }

  storage(): StorageReport {
    return pending();
  }

  /** Settles the leases that are still past their deadline: as if their attempts had failed. */
  expireLeases(): void {
    pending();
  }

  /**
   * Call once after all messages of a turn were given: writes what they decided, starts a sync if somebody waits for one,
   * then calls the `done` callbacks that are due. The engine calls it itself after its own timers.
   */
  endTurn(): void {
    pending();
  }

  /** Makes everything durable and lets go of the directory. Waiting claims are answered empty. */
  close(_done: () => void): void {
    pending();
  }
}

function pending(): never {
  throw new InvariantError('This part of the engine is being built.');
}
