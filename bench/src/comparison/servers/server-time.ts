import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second, whatever its clock does. */
const TICK_MICROSECONDS = 10_000;

/**
 * Microseconds of processor time so far of a server: all threads of its process and of the processes that it started, and what those of them
 * took that have ended. `undefined` where the system does not tell.
 */
export function serverMicroseconds(pid: number): number | undefined {
  try {
    const family = [pid, ...childrenOf(pid)];
    const living = family.reduce((sum, member) => sum + threadMicroseconds(member), 0);
    return living + statOf(pid).endedChildrenTicks * TICK_MICROSECONDS;
  } catch {
    return undefined;
  }
}

/** Memory of a process that is in RAM. `undefined` where the system does not tell. */
export function residentBytes(pid: number): number | undefined {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Of a line of /proc/<pid>/stat. The name of the program may hold spaces and brackets: what counts begins behind the last one. */
export function parseStat(line: string): { readonly parent: number; readonly endedChildrenTicks: number } {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), endedChildrenTicks: Number(fields[13]) + Number(fields[14]) };
}

function statOf(pid: number) {
  return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

function childrenOf(pid: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((candidate) => {
    try {
      return statOf(candidate).parent === pid;
    } catch {
      return false; // It ended while this looked.
    }
  });
}

function threadMicroseconds(pid: number): number {
  let microseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    microseconds += Number(nanoseconds) / 1000;
  }
  return microseconds;
}
