import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLogStore } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { run } from '../src/run.js';
import { codeOf, linesOf, start, textOf } from './child.js';
import { makeJobLog } from './job-log.js';
import { cutEnd, flipByte, holdfast, jsonLines, Sink, scratchDirectory, segmentsOf } from './rig.js';

const GOLDEN = fileURLToPath(new URL('golden/jobs-v1', import.meta.url));

async function dumpGolden(...options: string[]) {
  const { code, out, err } = await holdfast(['dump', GOLDEN, ...options]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return jsonLines(out);
}

describe('a choice of lines', () => {
  it('of one segment', async () => {
    const lines = await dumpGolden('--segment', '2');
    expect(lines[0]).toMatchObject({ type: 'segment', file: '0000000002.segment' });
    expect(new Set(lines.map(({ segment }) => segment))).toEqual(new Set([2]));
    expect(lines).toHaveLength(1 + 10 + 9);
  });

  it('of a segment that is not there is refused with those that are', async () => {
    const { code, err } = await holdfast(['dump', GOLDEN, '--segment', '9']);
    expect(code).toBe(2);
    expect(err).toContain('has no segment 9.\nIts segments: 1 to 3.');
  });

  it('from a sequence number on', async () => {
    const lines = await dumpGolden('--from', '17');
    expect(lines.filter(({ type }) => type === 'frame').map(({ seq }) => seq)).toEqual([17, 18, 19]);
    expect(lines.filter(({ type }) => type === 'segment').map(({ segment }) => segment)).toEqual([2, 3]);
  });

  it.each(['1hevq-6', '6'])('of the job %s: its records, and of the others only its items', async (job) => {
    const lines = await dumpGolden('--job', job);
    expect(lines.map(({ name }) => name)).toEqual(['ENQUEUE', 'ATTEMPT', 'DEAD', 'REDRIVE']);
    expect(lines[1]?.items).toEqual([expect.objectContaining({ id: 6, job: '1hevq-6', attempt: 1 })]);
  });

  it('of a job of another store is refused', async () => {
    const { code, err } = await holdfast(['dump', GOLDEN, '--job', 'other-6']);
    expect(code).toBe(2);
    expect(err).toContain('Ids of its jobs begin with 1hevq-');
  });

  it('without payloads and results keeps their sizes', async () => {
    const lines = await dumpGolden('--no-payload');
    const text = JSON.stringify(lines);
    expect(text).not.toContain('"payload":');
    expect(text).not.toContain('payloadBase64');
    expect(text).not.toContain('result');
    expect(lines.find(({ id }) => id === 2)?.payloadBytes).toBe(29);
  });
});

it('begins no line behind the progress that shows on the same terminal', async () => {
  const directory = join(scratchDirectory(), 'log');
  const store = await openLogStore({ directory });
  const job = { queue: 'mail', name: 'send', payload: 'x'.repeat(1000) };
  for (let frames = 0; frames < 300; frames++) await store.enqueue([job]);
  await store.close();
  const terminal = new Sink(true);
  let nowMs = 0;
  const monotonicMs = () => {
    nowMs += 1000;
    return nowMs;
  };
  const world = { stdout: terminal, stderr: terminal, env: {}, now: () => 0, monotonicMs, stopped: async () => {} };
  expect(await run(['dump', directory], world)).toBe(0);
  expect(terminal.text).toContain('\r\u001b[KReading 0000000001.segment: ');
  expect(terminal.text).not.toContain('%){');
});

describe('hostile texts', () => {
  const hostile = '\u0007\u001b]0;title\u0007\u009b31m\u2028\u2029\u202e\u2066\u200f\ufeff\u00ad\u{e0041}\r\n';

  it('come out escaped and are the same when parsed', async () => {
    const directory = scratchDirectory();
    const store = await openLogStore({ directory });
    await store.enqueue([{ queue: 'mail', name: 'send', payload: hostile }]);
    await store.close();
    const { out } = await holdfast(['dump', directory]);
    expect(out.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
    expect(jsonLines(out).find(({ name }) => name === 'ENQUEUE')?.payload).toBe(hostile);
  });

  it('come out escaped where they are part of a path or an option', async () => {
    for (const words of [
      ['verify', hostile],
      ['dump', GOLDEN, '--job', hostile],
      [hostile],
      ['verify', `--${hostile}`],
    ]) {
      const { code, err } = await holdfast(words);
      expect(code).toBeGreaterThan(1);
      expect(err.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
    }
  });
});

describe('a damaged log', () => {
  it('is dumped around the damage, which is told on both streams', async () => {
    const { directory } = await makeJobLog('closed');
    const whole = jsonLines((await holdfast(['dump', directory])).out);
    const [first = ''] = segmentsOf(directory);
    flipByte(first, 20_000);
    const { code, out, err } = await holdfast(['dump', directory]);
    expect(code).toBe(1);
    const lines = jsonLines(out);
    const damage = lines.filter(({ type }) => type === 'damage');
    expect(damage).toHaveLength(1);
    const { offset, bytes, firstSeq, lastSeq } = damage[0] as Record<string, number>;
    expect(firstSeq).toBe(lastSeq);
    expect(err).toContain(`0000000001.segment, byte ${offset}: records do not match their checksum.`);
    expect(err).toContain(`damaged up to byte ${Number(offset) + Number(bytes)}`);
    const rest = whole.filter(({ type, seq }) => type === 'segment' || seq !== firstSeq);
    expect(lines.filter(({ type }) => type !== 'damage')).toEqual(rest);
  });

  it('is dumped as far as it goes where its end is torn', async () => {
    const { directory } = await makeJobLog('killed');
    const last = segmentsOf(directory).at(-1) ?? '';
    cutEnd(last, 20);
    const { code, out, err } = await holdfast(['dump', directory]);
    expect(code).toBe(0);
    expect(jsonLines(out).some(({ type }) => type === 'damage')).toBe(false);
    expect(err).toMatch(
      new RegExp(
        `^${basename(last)}, byte \\d+: a frame (header )?is cut off\\. .* An open of the store cuts it off\\.\n$`,
      ),
    );
  });
});

describe('a log in use', () => {
  it('is dumped in whole lines while its process writes', async () => {
    const directory = join(scratchDirectory(), 'log');
    const writer = start('keep-writing', [directory]);
    await linesOf(writer, 3);
    let lastSeq = 0;
    for (let round = 0; round < 15; round++) {
      const { code, out } = await holdfast(['dump', directory, '--no-payload']);
      expect(code).toBe(0);
      const seqs = jsonLines(out).flatMap(({ type, seq }) => (type === 'frame' ? [Number(seq)] : []));
      // A writer that had time enough may have freed its first segments.
      expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index));
      expect(seqs.at(-1)).toBeGreaterThanOrEqual(lastSeq);
      lastSeq = seqs.at(-1)!;
    }
    expect(writer.exitCode).toBe(null);
  });
});

describe('the built command', () => {
  it('ends quietly when its reader goes away', async () => {
    const { directory } = await makeJobLog('closed');
    const dump = start('holdfast', ['dump', directory]);
    const told = textOf(dump.stderr);
    dump.stdout.once('data', () => dump.stdout.destroy());
    expect(await codeOf(dump)).toBe(0);
    expect(await told).toBe('');
  });

  it('streams a log that is larger than the memory that it gets', async () => {
    const directory = scratchDirectory();
    const store = await openLogStore({ directory });
    const payload = 'x'.repeat(500_000);
    const jobs = Array.from({ length: 20 }, () => ({ queue: 'mail', name: 'send', payload }));
    for (let index = 0; index < 6; index++) await store.enqueue(jobs);
    await store.close();
    const dump = start('holdfast', ['dump', directory], { NODE_OPTIONS: '--max-old-space-size=48' });
    let bytes = 0;
    for await (const piece of dump.stdout) bytes += (piece as Buffer).length;
    expect(await codeOf(dump)).toBe(0);
    expect(bytes).toBeGreaterThan(60_000_000);
  });

  it('says its version and, without a command, how to get help', async () => {
    const version = start('holdfast', ['--version']);
    const { version: expected } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await textOf(version.stdout)).toBe(`${expected}\n`);
    const bare = start('holdfast', []);
    expect(await textOf(bare.stderr)).toContain('See: holdfast --help');
    expect(await codeOf(bare)).toBe(2);
  });
});
