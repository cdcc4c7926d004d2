import { readFileSync } from 'node:fs';

/** Microseconds of processor time so far: of this thread, where the system tells, and of all threads. */
export interface ProcessorTime {
  readonly thread: number | undefined;
  readonly process: number;
}

export function processorTime(): ProcessorTime {
  const { user, system } = process.cpuUsage();
  return { thread: mainThreadMicroseconds(), process: user + system };
}

/** Linux keeps it to the nanosecond; elsewhere there is no such figure on Node 20. */
function mainThreadMicroseconds(): number | undefined {
  try {
    const [onProcessor] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(onProcessor) / 1000;
  } catch {
    return undefined;
  }
}
