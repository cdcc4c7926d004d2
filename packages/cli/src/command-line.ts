import { parseArgs } from 'node:util';
import { CommandError } from './command-error.js';
import { EXIT } from './exit-code.js';
import type { HelpTopic } from './help.js';

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

export interface DumpCommand {
  readonly name: 'dump';
  readonly directory: string;
  readonly segment: number | undefined;
  readonly fromSeq: number;
  readonly job: string | undefined;
  readonly payload: boolean;
}

export type Command =
  | VerifyCommand
  | RepairCommand
  | SnapshotCommand
  | DumpCommand
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
    case 'dump':
      return parsing('dump', () => parseDump(rest));
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
  const dryRun = values['dry-run'] ?? false;
  return { name: 'repair', directory, target: values.to, dryRun, json: values.json ?? false };
}

function parseSnapshot(args: string[]): Command {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...HELP, json: FLAG } });
  if (values.help) return { name: 'help', topic: 'snapshot' };
  const [directory, target, ...more] = positionals;
  if (target === undefined || target === '') throw new Error('<target> says where the snapshot goes.');
  return { name: 'snapshot', directory: onlyDirectory([directory!, ...more]), target, json: values.json ?? false };
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

function onlyDirectory(positionals: readonly string[]): string {
  const [directory, extra] = positionals;
  if (directory === undefined || directory === '') throw new Error('The directory of the log is missing.');
  if (extra !== undefined) throw new Error(`One directory is expected, but there is also "${extra}".`);
  return directory;
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
    throw usageError(topic, error instanceof Error ? error.message : String(error));
  }
}

function usageError(topic: HelpTopic, message: string): CommandError {
  const command = topic === 'holdfast' ? 'holdfast --help' : `holdfast ${topic} --help`;
  return new CommandError(EXIT.usage, message, `See: ${command}`);
}

function isTopic(word: string | undefined): word is HelpTopic {
  return word === 'verify' || word === 'repair' || word === 'snapshot' || word === 'dump';
}
