import { type JobStore, type StorageReport } from '@holdfast/contract';
import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import { type Connection } from './connection.js';

/** Says in the application's log, once at boot, where the jobs are and what the last end of the application left. */
export class StoreAnnouncer implements OnApplicationBootstrap {
  readonly #store: JobStore;
  readonly #logger: Logger;

  private constructor({ name, store }: Connection) {
    this.#store = store;
    this.#logger = new Logger(name === DEFAULT_CONNECTION ? 'Holdfast' : `Holdfast ${name}`);
  }

  static of(this: void, connection: Connection): StoreAnnouncer {
    return new StoreAnnouncer(connection);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#logger.log(describeOpening(await this.#store.storage()));
  }
}

/** In one line: the place, and what was found there. */
export function describeOpening({ location, recovery }: StorageReport): string {
  const { kind, recordsReplayed, tookMs } = recovery;
  if (kind === 'new') return `Jobs are kept in ${location}, which is new.`;
  const read = `${recordsReplayed} records read in ${Math.round(tookMs)} ms`;
  if (kind === 'clean') return `Jobs are kept in ${location}: ${read}.`;
  return [`Jobs are kept in ${location}, whose last owner was cut off: ${read}.`, ...whatWasCutOff(recovery)].join(' ');
}

function whatWasCutOff({ leasesEnded: { retried, dead }, tornTail }: StorageReport['recovery']): string[] {
  const sentences: string[] = [];
  if (retried + dead > 0) sentences.push(`Of the jobs it was at, ${retried} will be tried again and ${dead} are dead.`);
  if (tornTail) sentences.push(`${tornTail.bytes} bytes of an unfinished commit were moved to ${tornTail.keptAs}.`);
  return sentences;
}
