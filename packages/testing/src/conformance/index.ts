export { exerciseJobStore, type JobStoreExercise } from './exercise-job-store.js';
export type { OpenedStore } from './opened-store.js';
export type { Skip } from './skips.js';
