import { describe, expect, it } from 'vitest';
import { CommandError } from './command-error.js';
import { parseCommandLine } from './command-line.js';

const parse = (line: string) => parseCommandLine(line.split(' ').filter((word) => word !== ''));

it('reads each command with its options in any order', () => {
  expect(parse('verify --json data')).toEqual({ name: 'verify', directory: 'data', json: true });
  expect(parse('repair data --dry-run --to=new')).toEqual({
    name: 'repair',
    directory: 'data',
    target: 'new',
    dryRun: true,
    json: false,
  });
  expect(parse('dump --segment 2 data --from 17 --job a-1 --no-payload')).toEqual({
    name: 'dump',
    directory: 'data',
    segment: 2,
    fromSeq: 17,
    job: 'a-1',
    payload: false,
  });
  expect(parse('dump data')).toMatchObject({ segment: undefined, fromSeq: 0, job: undefined, payload: true });
  expect(parse('move data postgres://a@b/c --keep 10 --schema s')).toEqual({
    name: 'move',
    from: 'data',
    to: 'postgres://a@b/c',
    schema: 's',
    keep: 10,
    json: false,
  });
  expect(parse('move mysql://a@b/c postgres://a@b/c')).toMatchObject({ from: 'mysql://a@b/c', keep: undefined });
  expect(parse('verify -- --odd')).toMatchObject({ directory: '--odd' });
});

it('gives help for each command, also beside other words', () => {
  for (const topic of ['verify', 'repair', 'snapshot', 'move', 'dump'] as const) {
    expect(parse(`${topic} --help`)).toEqual({ name: 'help', topic });
    expect(parse(`${topic} -h`)).toEqual({ name: 'help', topic });
    expect(parse(`help ${topic}`)).toEqual({ name: 'help', topic });
  }
  expect(parse('--help')).toEqual({ name: 'help', topic: 'holdfast' });
  expect(parse('--version')).toEqual({ name: 'version' });
});

describe('what makes no sense', () => {
  it.each([
    ['', 'No command was given.', 'holdfast --help'],
    ['check data', '"check" is no command', 'holdfast --help'],
    ['verify', 'The directory of the log is missing.', 'holdfast verify --help'],
    ['verify a b', 'there is also "b"', 'holdfast verify --help'],
    ['verify data --jsn', "Unknown option '--jsn'", 'holdfast verify --help'],
    ['repair data', '--to <new-dir>', 'holdfast repair --help'],
    ['dump data --segment two', '--segment is "two", but must be a whole number', 'holdfast dump --help'],
    ['move data', '<to> says where it goes', 'holdfast move --help'],
    ['move postgres://a/b postgres://a/b', 'Both are the same store', 'holdfast move --help'],
    ['move data other', 'holdfast snapshot copies a log', 'holdfast move --help'],
    ['move data redis://there', 'and not at redis://', 'holdfast move --help'],
    ['move data postgres://a:b c@d/e', 'there are more words', 'holdfast move --help'],
    ['dashboard redis://there', 'and not at redis://', 'holdfast dashboard --help'],
    ['verify postgres://a/b', 'A directory is expected, and not a URL', 'holdfast verify --help'],
    ['dump mysql://a/b more', 'A directory is expected, and not a URL', 'holdfast dump --help'],
    ['repair data --to s3://bucket', 'A directory is expected, and not a URL', 'holdfast repair --help'],
    ['snapshot data s3://bucket/today', 'A directory is expected, and not a URL', 'holdfast snapshot --help'],
    ['snapshot postgres://a/b backup', 'A directory is expected, and not a URL', 'holdfast snapshot --help'],
    ['move mariadb://a/b data --keep 3', '--keep is for logs', 'holdfast move --help'],
    ['move postgres://a/b data --keep 3', '--keep is for logs', 'holdfast move --help'],
    ['dump data --from -1', 'ambiguous. Did you forget', 'holdfast dump --help'],
    ['dump data --from 1e99', '--from is "1e99"', 'holdfast dump --help'],
  ])('%s', (line, message, nextStep) => {
    let told: unknown;
    try {
      parse(line);
    } catch (error) {
      told = error;
    }
    expect(told).toBeInstanceOf(CommandError);
    expect(told).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message),
      nextStep: `See: ${nextStep}`,
    });
  });
});
