import { appendFileSync } from 'node:fs';

let lastFile = '';

/** @type {import('@holdfast/core').Handler<string>} */
export default (job) => {
  lastFile = job.payload;
};

export function close() {
  appendFileSync(lastFile, 'closed');
}
