/** Figures of one interval of a series. Times are milliseconds with fractions. */
export interface LatencyPoint {
  readonly atMs: number;
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Sizes of the commits of one interval. */
export interface CommitPoint {
  readonly atMs: number;
  readonly commits: number;
  readonly records: number;
  readonly recordsMax: number;
  readonly bytes: number;
}

/** A series has a point only where something happened: a missing interval means no data, not zero. */
export interface StoreMetrics {
  readonly stepMs: number;
  readonly syncLatency: readonly LatencyPoint[];
  readonly commits: readonly CommitPoint[];
  /** Since the store was opened. */
  readonly totals: {
    readonly enqueued: number;
    readonly claimed: number;
    readonly completed: number;
    readonly failed: number;
    readonly dead: number;
    readonly leaseExpiries: number;
    readonly commits: number;
    readonly bytesWritten: number;
  };
  /** Leases that expired since the store was opened, by queue and worker; those that came first where there are very many. */
  readonly leaseExpiriesBy?: readonly { readonly queue: string; readonly worker: string; readonly count: number }[];
  /** Longest time the engine was late for its own timer, since the store was opened. */
  readonly engineStallMsMax: number;
  /**
   * Longest time the application's event loop was blocked when a lease was due to end, since the store was opened: the lease
   * stood that much longer. Absent for stores that end leases without asking.
   */
  readonly applicationStallMsMax?: number;
}

export interface SegmentReport {
  readonly number: number;
  readonly file: string;
  readonly bytes: number;
  readonly firstSeq: string;
  readonly lastSeq: string;
  readonly state: 'active' | 'sealed';
  /** Of the records that hold the jobs that are kept, and of what is remembered beside them; the rest is history, and what became of jobs that are gone. */
  readonly liveBytes?: number;
  /** Of these, what is remembered beside the jobs: requests, keys in their window, pauses, and which ended jobs are forgotten. */
  readonly rememberedBytes?: number;
}

/** A backup that was made of a store. */
export interface SnapshotReport {
  readonly directory: string;
  readonly segments: number;
  /** Of the segments. */
  readonly bytes: number;
  /** Of those that share their bytes with the store's own files: they cost no room, but live on the same disk. The rest was copied. */
  readonly linkedBytes: number;
}

/** How a log frees its disk: the jobs that old segments still hold are written again, then these are removed. */
export interface CompactionReport {
  /** Jobs are being written again, or files removed. */
  readonly running: boolean;
  /** Since the store was opened. */
  readonly movedJobs: number;
  readonly movedBytes: number;
  readonly freedBytes: number;
  /** When a job was written again or a file removed for the last time; absent before the first. */
  readonly lastAtMs?: number;
  /** Why the oldest segment cannot be freed: the disk fills up until this is looked at. */
  readonly stoppedBy?: { readonly file: string; readonly problem: string };
}

/** What the last open found and did. */
export interface RecoveryReport {
  /**
   * `new`: an empty directory. `clean`: closed by its last owner. `unclean`: its last owner was cut off. `read`: nothing was opened; the log was read
   * as it is, by a store that only shows jobs, which does not know how its owner ends.
   */
  readonly kind: 'new' | 'clean' | 'unclean' | 'read';
  readonly atMs: number;
  readonly tookMs: number;
  readonly segments: number;
  readonly bytesRead: number;
  readonly recordsReplayed: number;
  /** The bytes after the last whole commit, cut off and kept in `keptAs`; absent when there were none. */
  readonly tornTail?: {
    readonly file: string;
    readonly offset: number;
    readonly bytes: number;
    readonly keptAs: string;
  };
  /** Jobs that were leased when the last owner ended: each counted as an attempt. */
  readonly leasesEnded: { readonly retried: number; readonly dead: number };
  readonly epoch: number;
}

/** What a store keeps back on its disk, so that jobs can still be ended when that is full. */
export interface DiskReserveReport {
  /** Bytes that it shall have. */
  readonly bytes: number;
  /** Bytes that it has: less after an open for a moment, and when some were given up to a full disk. */
  readonly heldBytes: number;
  /** Since when enqueues are refused because the disk is full; absent when they are taken. */
  readonly fullSinceMs?: number;
}

export interface StorageReport {
  readonly kind: string;
  readonly location: string;
  readonly storeId: string;
  readonly segments: readonly SegmentReport[];
  readonly bytes: number;
  readonly diskFreeBytes?: number;
  /** Absent in a store that keeps nothing back. */
  readonly diskReserve?: DiskReserveReport;
  /** The highest commit that is durable. */
  readonly durableSeq: string;
  readonly recovery: RecoveryReport;
  /** Absent in a store that frees its disk in another way. */
  readonly compaction?: CompactionReport;
}

export interface StoreHealth {
  /** `full`: as `open`, but for new jobs, which are rejected with `STORE_FULL` until its disk has room again. */
  readonly status: 'opening' | 'open' | 'full' | 'failed' | 'closed';
  /** In plain words, with the next step; present unless open. */
  readonly detail?: string;
  /** How often the engine was lost and reopened since this store was opened. */
  readonly reopened: number;
  /** In a store that only shows jobs: they are those of this moment. */
  readonly asOfMs?: number;
}
