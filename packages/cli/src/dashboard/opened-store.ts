import type { JobStore, RetentionBounds, RetentionOptions } from '@holdfast/contract';
import { StoreLockedError, StoreOpenError } from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import { openLogStore } from '@holdfast/core';
import { openLogView } from '@holdfast/core/view';
import { CommandError } from '../command-error.js';
import type { DashboardCommand } from '../command-line.js';
import { EXIT } from '../exit-code.js';
import { findLiveOwner, type LiveOwner, openSource } from '../source/open-source.js';
import { storePlace } from '../source/store-place.js';

/** A store to be shown, and what its operator has to know of it. */
export interface OpenedStore {
  readonly store: JobStore;
  /** Without a password. */
  readonly location: string;
  /** A sentence or two for the terminal. */
  readonly notice: string;
}

/** What an application keeps is for it to say: this process shall not forget a job that the application would keep. */
const KEEP: RetentionBounds = { count: STORE_LIMITS.retentionCountMax, ageMs: null, bytes: null };
const KEEP_ALL: RetentionOptions = { completed: KEEP, cancelled: KEEP, dead: KEEP };

/** @throws CommandError, and what the store throws */
export async function openStore(command: DashboardCommand): Promise<OpenedStore> {
  switch (storePlace(command.store)) {
    case 'postgres':
      return openPostgres(command);
    case 'mysql':
      return openMysql(command);
    default:
      return openDirectory(command);
  }
}

async function openDirectory({ store: directory, readOnly }: DashboardCommand): Promise<OpenedStore> {
  // An open would make a store in a directory that was misspelt.
  openSource(directory).close();
  if (readOnly)
    return openView(
      directory,
      'It was started with --read-only. Without that it would open a log that nobody has open.',
    );
  const owner = findLiveOwner(directory);
  if (owner?.certainty === 'sure') return openHeld(directory, owner);
  try {
    return await openOwned(directory);
  } catch (error) {
    if (error instanceof StoreLockedError) return openHeld(directory, { certainty: 'sure', pid: error.holderPid });
    throw error instanceof StoreOpenError ? cannotOwn(error) : error;
  }
}

/** A disk that is full or cannot be written, or a directory of somebody else: what there is can be shown all the same. */
function cannotOwn(cause: StoreOpenError): CommandError {
  const nextStep = 'With --read-only the jobs are shown, and nothing is written.';
  return new CommandError(EXIT.unreadable, cause.message, nextStep, { cause });
}

async function openOwned(directory: string): Promise<OpenedStore> {
  const store = await openLogStore({ directory, retention: KEEP_ALL });
  const notice =
    'This process owns the log until it ends: an application that wants it is refused meanwhile. Nobody runs jobs here.';
  return { store, location: directory, notice };
}

function openHeld(directory: string, owner: LiveOwner): Promise<OpenedStore> {
  const who = owner.pid === undefined ? 'Another process' : `Process ${owner.pid}`;
  const why = `${who} had the log open when this was started.`;
  return openView(directory, `${why} To act, use the dashboard of that application, or end it and start this again.`);
}

async function openView(directory: string, why: string): Promise<OpenedStore> {
  const because = `${why} The log is looked at every 5 seconds and read again where it has grown.`;
  const store = await openLogView({ directory, because });
  return { store, location: directory, notice: `Read-only: every act is refused, and nothing is written. ${because}` };
}

/** What may be lost in a crash of the database, and whether that is well, its application has said. */
const AS_A_GUEST = { migrate: false, acceptDataLoss: true, retention: KEEP_ALL } as const;
const DATABASE_NOTICE = 'Acts are those of one more process beside the application. Nobody runs jobs here.';

async function openPostgres({ store: connectionString, schema }: DashboardCommand): Promise<OpenedStore> {
  const { openPostgresStore } = await import('@holdfast/store-postgres');
  const store = await openPostgresStore({
    ...AS_A_GUEST,
    connectionString,
    ...(schema === undefined ? {} : { schema }),
  });
  return describeDatabase(store);
}

async function openMysql({ store: address, schema }: DashboardCommand): Promise<OpenedStore> {
  const { openMysqlStore } = await import('@holdfast/store-mysql');
  const connectionString = address.replace(/^mariadb:/i, 'mysql:');
  const store = await openMysqlStore({ ...AS_A_GUEST, connectionString, ...(schema === undefined ? {} : { schema }) });
  return describeDatabase(store);
}

async function describeDatabase(store: JobStore): Promise<OpenedStore> {
  try {
    const { location } = await store.storage();
    return { store, location, notice: DATABASE_NOTICE };
  } catch (error) {
    await store.close();
    throw error;
  }
}
