import type { LeaseRow } from '@holdfast/contract';

const NAMED_MAX = 5;

/** `drain` gave up: handlers are at work that do not end. */
export class StillWorkingError extends Error {
  readonly jobs: readonly LeaseRow[];
  readonly timeoutMs: number;

  constructor(jobs: readonly LeaseRow[], timeoutMs: number) {
    const names = jobs.slice(0, NAMED_MAX).map(({ id, queue, name }) => `${id} (${queue}/${name})`);
    const more = jobs.length > NAMED_MAX ? ` and ${jobs.length - NAMED_MAX} more` : '';
    super(
      `After ${timeoutMs} ms handlers are still at work on ${names.join(', ')}${more}. While drain() runs, no time passes for jobs: ` +
        'a handler that waits for its signal or its timeout needs advance(ms); one that is only slow, a larger timeoutMs.',
    );
    this.name = 'StillWorkingError';
    this.jobs = jobs;
    this.timeoutMs = timeoutMs;
  }
}
