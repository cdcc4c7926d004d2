export interface PauseRow {
  readonly paused_since_ms: number;
  readonly paused_until_ms: number | null;
  readonly paused_actor: string;
  readonly paused_reason: string | null;
}

export interface QueueRow
  extends PauseRow,
    Readonly<Record<'scheduled' | 'retrying' | 'ready' | 'leased' | 'completed' | 'dead' | 'cancelled', number>> {
  readonly id: number;
  readonly name: string;
  readonly oldest_ready_at_ms: number | null;
  /** A step may be there several times: what it shows is the sum. */
  readonly throughput: readonly (readonly [step: number, enqueued: number, completed: number, failed: number])[] | null;
  readonly at_ms: number;
  readonly is_paused: boolean;
}
