import { type StorageReport } from '@holdfast/contract';
import { type OnApplicationBootstrap } from '@nestjs/common';
import { type Connection } from './connection.js';

/** Says in the application's log, once at boot, where the jobs are and what the last end of the application left. */
export class StoreAnnouncer implements OnApplicationBootstrap {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static of(this: void, connection: Connection): StoreAnnouncer {
    return new StoreAnnouncer(connection);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { store, logger } = this.#connection;
    logger.log(describeOpening(await store.storage()));
  }
}

/** In one line: the place, and what was found there. */
export function describeOpening({ location, recovery }: StorageReport): string {
  const { kind, recordsReplayed, tookMs } = recovery;
  if (kind === 'new') return `Jobs are kept in ${location}, which is new.`;
  // A database is not read to be opened.
  if (recordsReplayed === 0 && kind === 'clean') return `Jobs are kept in ${location}.`;
  const read = `${recordsReplayed} records read in ${Math.round(tookMs)} ms`;
  if (kind === 'read') return `Jobs in ${location} are shown as they are: ${read}.`;
  if (kind === 'clean') return `Jobs are kept in ${location}: ${read}.`;
  return [`Jobs are kept in ${location}, whose last owner was cut off: ${read}.`, ...whatWasCutOff(recovery)].join(' ');
}

function whatWasCutOff({ leasesEnded: { retried, dead }, tornTail }: StorageReport['recovery']): string[] {
  const sentences: string[] = [];
  if (retried + dead > 0) sentences.push(`Of the jobs it was at, ${retried} will be tried again and ${dead} are dead.`);
  if (tornTail) sentences.push(`${tornTail.bytes} bytes of an unfinished commit were moved to ${tornTail.keptAs}.`);
  return sentences;
}
