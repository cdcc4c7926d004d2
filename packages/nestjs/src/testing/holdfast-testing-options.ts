export const HOLDFAST_TESTING_OPTIONS = 'HOLDFAST_TESTING_OPTIONS';

export interface HoldfastTestingOptions {
  /**
   * `true`: an `enqueue` outside of handlers resolves after its job, and what that enqueued, was worked on. Time still moves by `advance` alone, so
   * jobs with a delay and retries wait for it. Default: false, jobs are worked on by `drain` and `advance`.
   */
  readonly inline?: boolean;
  /** What the clock shows at first. Default: now. */
  readonly now?: Date | number;
}
