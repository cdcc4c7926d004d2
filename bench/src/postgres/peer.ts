/** A queue on an SQL database, as it is measured: what is put in as one call, and what one process works off with handlers that do nothing. */
export interface SqlPeer {
  readonly name: string;
  open(url: string, schema: string): Promise<OpenedPeer>;
}

export interface OpenedPeer {
  /** Resolves when so many jobs are stored, in calls of `batch` jobs one after the other. */
  enqueue(jobs: number, batch: number): Promise<void>;
  /** Resolves when so many jobs, all that there are, were done. */
  work(jobs: number): Promise<void>;
  close(): Promise<void>;
}

export const QUEUE = 'bench';
export const CONNECTIONS = 10;
/** Loops that fetch and complete, where a queue leaves that to its caller. */
export const LOOPS = 4;
/** Jobs of one fetch; also of the one that graphile-worker makes for all of its loops. */
export const FETCH_JOBS = 500;
export const PAYLOAD = { order: 'A-4711', customer: 'olga@example.com', lines: [1, 2, 3] };

/** Calls that put in all jobs. */
export function batchesOf(jobs: number, batch: number): number[] {
  return Array.from({ length: Math.ceil(jobs / batch) }, (_, index) => Math.min(batch, jobs - index * batch));
}

/** Several loops at once, each until nothing is left. */
export async function inLoops(step: () => Promise<number>): Promise<void> {
  const loop = async () => {
    while ((await step()) > 0);
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
}
