import { parseArgs } from 'node:util';
import { CommandError } from './command-error.js';
import { EXIT } from './exit-code.js';
import type { HelpTopic } from './help.js';
import { type StorePlace, storePlace } from './source/store-place.js';

export interface VerifyCommand {
  readonly name: 'verify';
  readonly directory: string;
  readonly json: boolean;
}

export interface RepairCommand {
  readonly name: 'repair';
  readonly directory: string;
  readonly target: string;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export interface SnapshotCommand {
  readonly name: 'snapshot';
  readonly directory: string;
  readonly target: string;
  readonly json: boolean;
}

export interface MoveCommand {
  readonly name: 'move';
  /** Each a directory, or the URL of a database. */
  readonly from: string;
  readonly to: string;
  /** In a database. */
  readonly schema: string | undefined;
  /** Completed and cancelled jobs of each queue of a log; `undefined`: all of them. */
  readonly keep: number | undefined;
  readonly json: boolean;
}

export interface DumpCommand {
  readonly name: 'dump';
  readonly directory: string;
  readonly segment: number | undefined;
  readonly fromSeq: number;
  readonly job: string | undefined;
  readonly payload: boolean;
}

export type DashboardRole = 'viewer' | 'operator' | 'admin';

export interface DashboardCommand {
  readonly name: 'dashboard';
  /** A directory, or the URL of a database. */
  readonly store: string;
  readonly port: number;
  readonly role: DashboardRole;
  readonly readOnly: boolean;
  readonly schema: string | undefined;
}

export type Command =
  | VerifyCommand
  | RepairCommand
  | SnapshotCommand
  | MoveCommand
  | DumpCommand
  | DashboardCommand
  | { readonly name: 'help'; readonly topic: HelpTopic }
  | { readonly name: 'version' };

const FLAG = { type: 'boolean' } as const;
const TEXT = { type: 'string' } as const;
const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/** @throws CommandError with exit code 2 when the arguments make no sense */
export function parseCommandLine(words: readonly string[]): Command {
  const [first, ...rest] = words;
  switch (first) {
    case 'verify':
      return parsing('verify', () => parseVerify(rest));
    case 'repair':
      return parsing('repair', () => parseRepair(rest));
    case 'snapshot':
      return parsing('snapshot', () => parseSnapshot(rest));
    case 'move':
      return parsing('move', () => parseMove(rest));
    case 'dump':
      return parsing('dump', () => parseDump(rest));
    case 'dashboard':
      return parsing('dashboard', () => parseDashboard(rest));
    case 'help':
      return { name: 'help', topic: isTopic(rest[0]) ? rest[0] : 'holdfast' };
    case '--version':
    case '-v':
      return { name: 'version' };
    case '--help':
    case '-h':
      return { name: 'help', topic: 'holdfast' };
    case undefined:
      throw usageError('holdfast', 'No command was given.');
    default:
      throw usageError('holdfast', `"${first}" is no command of holdfast.`);
  }
}

function parseVerify(args: string[]): Command {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...HELP, json: FLAG } });
  if (values.help) return { name: 'help', topic: 'verify' };
  return { name: 'verify', directory: onlyDirectory(positionals), json: values.json ?? false };
}

function parseRepair(args: string[]): Command {
  const options = { ...HELP, to: TEXT, 'dry-run': FLAG, json: FLAG };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) return { name: 'help', topic: 'repair' };
  const directory = onlyDirectory(positionals);
  if (values.to === undefined || values.to === '') throw new Error('--to <new-dir> says where the repaired copy goes.');
  requireDirectories(values.to);
  const dryRun = values['dry-run'] ?? false;
  return { name: 'repair', directory, target: values.to, dryRun, json: values.json ?? false };
}

function parseSnapshot(args: string[]): Command {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...HELP, json: FLAG } });
  if (values.help) return { name: 'help', topic: 'snapshot' };
  const [directory, target, ...more] = positionals;
  if (target === undefined || target === '') throw new Error('<target> says where the snapshot goes.');
  requireDirectories(target);
  return { name: 'snapshot', directory: onlyDirectory([directory!, ...more]), target, json: values.json ?? false };
}

function parseMove(args: string[]): Command {
  const options = { ...HELP, schema: TEXT, keep: TEXT, json: FLAG };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) return { name: 'help', topic: 'move' };
  const [from, to, extra] = positionals;
  if (from === undefined || from === '') throw new Error('<from> says which store is moved.');
  if (to === undefined || to === '') throw new Error('<to> says where it goes.');
  // Not shown: it may be the rest of a password with a space in it.
  if (extra !== undefined) throw new Error('Two stores are expected, but there are more words.');
  if (from === to) throw new Error('Both are the same store.');
  const isOfLog = [from, to].map((place) => knownPlace(place) === 'directory');
  if (isOfLog[0] && isOfLog[1])
    throw new Error('Both are directories: holdfast snapshot copies a log into another one.');
  if (values.keep !== undefined && !isOfLog[0])
    throw new Error('--keep is for logs: a database holds no more than it shows.');
  const keep = values.keep === undefined ? undefined : wholeNumber('--keep', values.keep);
  return { name: 'move', from, to, schema: values.schema, keep, json: values.json ?? false };
}

function knownPlace(word: string): StorePlace {
  const place = storePlace(word);
  if (typeof place === 'string') return place;
  throw new Error(`A store is in a directory, or at a postgres:// or mysql:// URL, and not at ${place.scheme}://.`);
}

function parseDump(args: string[]): Command {
  const options = { ...HELP, segment: TEXT, from: TEXT, job: TEXT, 'no-payload': FLAG };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) return { name: 'help', topic: 'dump' };
  return {
    name: 'dump',
    directory: onlyDirectory(positionals),
    segment: values.segment === undefined ? undefined : wholeNumber('--segment', values.segment),
    fromSeq: values.from === undefined ? 0 : wholeNumber('--from', values.from),
    job: values.job,
    payload: !values['no-payload'],
  };
}

const ROLES: readonly DashboardRole[] = ['viewer', 'operator', 'admin'];
const PORT_MAX = 65_535;

function parseDashboard(args: string[]): Command {
  const options = { ...HELP, port: TEXT, role: TEXT, 'read-only': FLAG, schema: TEXT };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) return { name: 'help', topic: 'dashboard' };
  const [store, extra] = positionals;
  if (store === undefined || store === '') throw new Error('The directory or the address of the store is missing.');
  // Not shown: it may be the rest of a password with a space in it.
  if (extra !== undefined) throw new Error('One store is expected, but there are more words.');
  knownPlace(store);
  const port = values.port === undefined ? 0 : wholeNumber('--port', values.port);
  if (port > PORT_MAX) throw new Error(`--port is ${port}, but must be at most ${PORT_MAX}.`);
  const role = ROLES.find((one) => one === (values.role ?? 'admin'));
  if (role === undefined) throw new Error(`--role is "${values.role}", but must be ${ROLES.join(', ')}.`);
  return { name: 'dashboard', store, port, role, readOnly: values['read-only'] ?? false, schema: values.schema };
}

function onlyDirectory(positionals: readonly string[]): string {
  const [directory, extra] = positionals;
  if (directory === undefined || directory === '') throw new Error('The directory of the log is missing.');
  requireDirectories(...positionals);
  if (extra !== undefined) throw new Error(`One directory is expected, but there is also "${extra}".`);
  return directory;
}

/** As the name of a directory a URL would be made as one, or shown with its password. */
function requireDirectories(...words: readonly string[]): void {
  if (words.every((word) => storePlace(word) === 'directory')) return;
  throw new Error('A directory is expected, and not a URL: only move and dashboard work with databases.');
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new Error(`${option} is "${text}", but must be a whole number.`);
}

function parsing(topic: HelpTopic, parse: () => Command): Command {
  try {
    return parse();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node says in three lines that an option has no value.
    throw usageError(topic, message.replaceAll('\n', ' '));
  }
}

function usageError(topic: HelpTopic, message: string): CommandError {
  const command = topic === 'holdfast' ? 'holdfast --help' : `holdfast ${topic} --help`;
  return new CommandError(EXIT.usage, message, `See: ${command}`);
}

function isTopic(word: string | undefined): word is HelpTopic {
  return ['verify', 'repair', 'snapshot', 'move', 'dump', 'dashboard'].includes(word ?? '');
}
