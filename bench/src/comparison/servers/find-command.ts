import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program is: what the variable names, else the first in PATH or in one of the other folders. */
export function findCommand(name: string, variable: string, folders: readonly string[] = []): string | undefined {
  const named = process.env[variable];
  if (named !== undefined) return named;
  const places = [...(process.env.PATH ?? '').split(delimiter), ...folders].map((folder) => join(folder, name));
  return places.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
