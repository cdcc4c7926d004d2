import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where administrators' tools are, also when they are not on the PATH. */
const ALSO_IN = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Path of an installed program, if it is there. */
export function findProgram(name: string): string | undefined {
  const places = [...(process.env.PATH ?? '').split(delimiter), ...ALSO_IN];
  return places.map((place) => join(place, name)).find(isExecutable);
}

/** Runs a program to its end. Throws with what it said if it fails. */
export function runProgram(name: string, ...programArguments: readonly string[]): string {
  return execFileSync(findProgram(name) ?? name, programArguments, { encoding: 'utf8', stdio: 'pipe' });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
