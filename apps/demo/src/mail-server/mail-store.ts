import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type MailHeader, readMailHeader } from './mail-header.js';
import { isMailFileName, mailFileName } from './message-id.js';

export interface KeptMail extends MailHeader {
  readonly file: string;
  readonly keptAtMs: number;
}

/** `kept`: this delivery made the file. `duplicate`: a delivery before it had. Durable either way. */
export type Keeping = 'kept' | 'duplicate';

/** So many are listed; all are kept. */
const LISTED_MAX = 100;

/**
 * A mailbox that holds each message once, however often it is delivered.
 *
 * Which order of steps makes a mail arrive exactly once? Suppose that the sender kept a note of what it sent. A note
 * written before the sending loses the mail when the process dies between the two: after the restart the note says
 * "sent". A note written after it doubles the mail when the process dies between the two: after the restart nothing says
 * that it went out. No order of two separate steps is right, so they must become one step, and only the receiving side
 * can do that: here, linking a finished file to the one name of its Message-ID. The link either makes the name or finds
 * it taken, also when deliveries race and when the process is killed anywhere in between.
 */
export class MailStore {
  readonly #directory: string;
  /** Unfinished files of this run carry it, so that cleaning up after an earlier run spares them. */
  readonly #run = randomUUID();
  readonly #latest: KeptMail[];
  #total: number;
  #duplicates = 0;

  private constructor(directory: string, latest: KeptMail[], total: number) {
    this.#directory = directory;
    this.#latest = latest;
    this.#total = total;
  }

  static async open(directory: string): Promise<MailStore> {
    await mkdir(directory, { recursive: true });
    const files = (await readdir(directory)).filter(isMailFileName);
    return new MailStore(directory, await latestOf(directory, files), files.length);
  }

  /**
   * Resolves when the message is on stable storage under its name, whoever put it there.
   * @throws when the disk refuses. Nothing is under the name then, or the whole message is; delivering again is safe.
   */
  async keep(message: Uint8Array, header: MailHeader): Promise<Keeping> {
    const file = mailFileName(header.messageId);
    const unfinished = join(this.#directory, `${this.#run}-${randomUUID()}.part`);
    try {
      await writeDurably(unfinished, message);
      const keeping = await linkOnce(unfinished, join(this.#directory, file));
      // Also for a duplicate: the first delivery may have linked the name and died before it was durable.
      await syncDirectory(this.#directory);
      this.#count(keeping, { ...header, file, keptAtMs: Date.now() });
      return keeping;
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  /** Removes what earlier runs left unfinished. Only the one process that owns the data directory may call it. */
  async removeLeftovers(): Promise<number> {
    const names = await readdir(this.#directory);
    const leftovers = names.filter((name) => name.endsWith('.part') && !name.startsWith(this.#run));
    for (const name of leftovers) await rm(join(this.#directory, name), { force: true });
    if (leftovers.length > 0)
      new Logger('Mail').log(`Unfinished files of an earlier run removed: ${leftovers.length}.`);
    return leftovers.length;
  }

  /** The latest first. */
  list(): { readonly total: number; readonly duplicatesDropped: number; readonly mails: readonly KeptMail[] } {
    return { total: this.#total, duplicatesDropped: this.#duplicates, mails: this.#latest };
  }

  /** `undefined` when there is no such mail, or when the name cannot be one. */
  async read(file: string): Promise<Buffer | undefined> {
    if (!isMailFileName(file)) return undefined;
    try {
      return await readFile(join(this.#directory, file));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  #count(keeping: Keeping, mail: KeptMail): void {
    if (keeping === 'duplicate') {
      this.#duplicates += 1;
      return;
    }
    this.#total += 1;
    this.#latest.unshift(mail);
    this.#latest.length = Math.min(this.#latest.length, LISTED_MAX);
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function linkOnce(from: string, to: string): Promise<Keeping> {
  try {
    await link(from, to);
    return 'kept';
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return 'duplicate';
    throw error;
  }
}

/** A new name survives a power cut only once its directory is synced. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function latestOf(directory: string, files: readonly string[]): Promise<KeptMail[]> {
  const dated = await Promise.all(
    files.map(async (file) => ({ file, keptAtMs: Math.round((await stat(join(directory, file))).mtimeMs) })),
  );
  const latest = dated.sort((a, b) => b.keptAtMs - a.keptAtMs).slice(0, LISTED_MAX);
  const mails = await Promise.all(
    latest.map(async ({ file, keptAtMs }) => {
      const header = readMailHeader(await readFile(join(directory, file)));
      return header === undefined ? [] : [{ ...header, file, keptAtMs }];
    }),
  );
  return mails.flat();
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
