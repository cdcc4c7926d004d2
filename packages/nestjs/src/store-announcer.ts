import { type JobStore, type StorageReport } from '@holdfast/contract';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HOLDFAST_STORE } from './holdfast.tokens.js';

/** Says in the application's log, once at boot, where the jobs are and what the last end of the application left. */
@Injectable()
export class StoreAnnouncer implements OnApplicationBootstrap {
  readonly #store: JobStore;
  readonly #logger = new Logger('Holdfast');

  constructor(@Inject(HOLDFAST_STORE) store: JobStore) {
    this.#store = store;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#logger.log(describeOpening(await this.#store.storage()));
  }
}

/** In one line: the place, and what was found there. */
export function describeOpening({ location, recovery }: StorageReport): string {
  const { kind, recordsReplayed, tookMs, leasesEnded, tornTail } = recovery;
  if (kind === 'new') return `Jobs are kept in ${location}, which is new.`;
  const read = `${recordsReplayed} records read in ${Math.round(tookMs)} ms`;
  if (kind === 'clean') return `Jobs are kept in ${location}: ${read}.`;
  const { retried, dead } = leasesEnded;
  const torn =
    tornTail === undefined ? '' : ` ${tornTail.bytes} bytes of an unfinished commit were moved to ${tornTail.keptAs}.`;
  return (
    `Jobs are kept in ${location}, whose last owner was cut off: ${read}. ` +
    `Of the jobs it was at, ${retried} will be tried again and ${dead} are dead.${torn}`
  );
}
