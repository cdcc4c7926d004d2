/** What an enqueue is answered. The jobs of a call have consecutive ids in input order. */
export interface EnqueueAnswer {
  readonly firstId: number;
  /** 1 where the job is scheduled, 0 where it is ready. */
  readonly scheduled: Uint8Array;
}
