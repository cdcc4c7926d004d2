/** What an enqueue is answered. Without `each` its jobs were all created, and have consecutive ids in input order. */
export interface EnqueueAnswer {
  readonly firstId: number;
  /** 1 where the job is scheduled, 0 where it is ready. */
  readonly scheduled: Uint8Array;
  /** Present where a job was not created; the rest says nothing then. */
  readonly each?: EachAnswer | undefined;
}

/** For each job, in input order. */
export interface EachAnswer {
  readonly ids: Float64Array;
  /** As STATE numbers them. */
  readonly states: Uint8Array;
  readonly outcomes: Uint8Array;
}

/** The numbers of `EachAnswer.outcomes` are places in it. */
export const OUTCOMES = ['created', 'duplicate', 'replaced'] as const;

export const OUTCOME = { created: 0, duplicate: 1, replaced: 2 } as const;

export function answeredJobs({ scheduled, each }: EnqueueAnswer): number {
  return each?.ids.length ?? scheduled.length;
}
