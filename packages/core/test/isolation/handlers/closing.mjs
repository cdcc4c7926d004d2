import { appendFileSync } from 'node:fs';

let lastFile;

export default (job) => {
  lastFile = job.payload;
};

export function close() {
  appendFileSync(lastFile, 'closed');
}
