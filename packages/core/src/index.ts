export type { JobState } from '@holdfast/contract';
