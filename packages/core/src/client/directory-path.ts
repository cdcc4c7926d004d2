import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from '@holdfast/contract';

/** Resolved now: a later `process.chdir` must not make a later step find another place. @throws InvalidArgumentError */
export function directoryPath(given: string | URL): string {
  if (given instanceof URL && given.protocol === 'file:') return fileURLToPath(given);
  if (typeof given === 'string' && given !== '') return resolve(given);
  throw new InvalidArgumentError('directory', given, 'a path or a file: URL');
}
