// Makes a directory with every kind of record, of a store of jobs, and what it shows: `node packages/core/test/log/make-golden-jobs.mjs jobs-v1`. Run
// once for each version of the format or of a record, with the code of that version; the result is never made again.
import { join } from 'node:path';
import { runnerImport } from 'vite';

if (process.argv[2] === undefined) throw new Error('Name a new directory.');
/** @type {{ module: { makeGolden(directory: string): void } }} */
const { module } = await runnerImport(`${import.meta.dirname}/golden-jobs.ts`, {
  root: import.meta.dirname,
  configFile: false,
  logLevel: 'error',
});
module.makeGolden(join(import.meta.dirname, '..', 'golden', process.argv[2]));
