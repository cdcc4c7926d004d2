export {
  type AdvanceOptions,
  type DrainOptions,
  type EnqueuedJob,
  type ExpectedJob,
  StillWorkingError,
} from '@holdfast/testing';
export { HoldfastTesting } from './holdfast-testing.js';
export { HoldfastTestingModule } from './holdfast-testing.module.js';
export type { HoldfastTestingOptions } from './holdfast-testing-options.js';
export type { JobRun, RunOutcome, WorkDone } from './job-runs.js';
