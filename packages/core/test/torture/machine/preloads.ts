import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRunError } from '../rig.js';
import { findProgram, runProgram } from './command.js';

const LIBRARY_PLACES = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
];

/** A shared library that Debian packages bring; `undefined` where it is not installed. */
export function findLibrary(name: string): string | undefined {
  return LIBRARY_PLACES.map((place) => join(place, name)).find((path) => existsSync(path));
}

/** Turns every sync into nothing: what a store that forgets to sync would do. */
export function eatMyData(): string {
  const path = findLibrary('libeatmydata.so');
  if (path === undefined) throw new CannotRunError('libeatmydata is missing: apt-get install eatmydata');
  return path;
}

/** Compiles one of the C files in `native/`. @returns the path of what came out */
export function compileNative(name: string, scratch: string, kind: 'program' | 'library'): string {
  if (findProgram('cc') === undefined)
    throw new CannotRunError('there is no C compiler: apt-get install gcc libc6-dev');
  const source = join(import.meta.dirname, '../native', `${name}.c`);
  const path = join(scratch, kind === 'library' ? `${name}.so` : name);
  const options = kind === 'library' ? ['-shared', '-fPIC', '-ldl', '-pthread'] : [];
  runProgram('cc', '-O2', '-Wall', '-Wextra', '-o', path, source, ...options);
  return path;
}
