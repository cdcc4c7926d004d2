import type { Plugin } from 'vite';
import { type Mutant, plant } from './mutant.js';

/** Hands out the source of one file with the mistake of the mutant in it, while there is one. Files on the disk stay as they are. */
export function plantedBug(mutant: () => Mutant | undefined): Plugin {
  return {
    name: 'planted-bug',
    enforce: 'pre',
    transform(code, id) {
      const now = mutant();
      // Without a source map: what is shown of a failure are the lines of the changed text.
      return now === undefined || !id.endsWith(`/${now.file}`) ? undefined : { code: plant(code, now), map: null };
    },
  };
}
