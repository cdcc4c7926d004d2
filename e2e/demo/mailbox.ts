import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Mail {
  readonly file: string;
  /** The address alone. */
  readonly to: string;
}

/** What arrived, read from the disk and not from the demo: the demo is what is on trial. */
export async function readMailbox(dataDirectory: string): Promise<Mail[]> {
  const directory = join(dataDirectory, 'mails');
  const files = (await readdir(directory)).filter((name) => name.endsWith('.eml'));
  return Promise.all(
    files.map(async (file) => ({ file, to: addressOf(file, await readFile(join(directory, file), 'utf8')) })),
  );
}

/** How many mails each address got. */
export function mailsByAddress(mails: readonly Mail[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { to } of mails) counts.set(to, (counts.get(to) ?? 0) + 1);
  return counts;
}

function addressOf(file: string, text: string): string {
  const header = text.split(/\r?\n\r?\n/, 1)[0]?.replace(/\r?\n[ \t]+/g, ' ') ?? '';
  const address = /^To:.*<([^>]+)>/im.exec(header)?.[1] ?? /^To: *(\S+)/im.exec(header)?.[1];
  if (address === undefined) throw new Error(`${file} is not a whole mail:\n${text}`);
  return address;
}
