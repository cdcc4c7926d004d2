import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { inColumns } from '../../src/engine/engine-jobs.js';
import { crc32c, examineLog, type FileSystem, NodeFileSystem } from '../../src/log/index.js';
import { RECORD } from '../../src/state/record-kinds.js';
import { allJobs } from '../model/compaction-stage.js';
import { eachOf, newAnswer, noteIn, SHAPE } from '../model/engine-rig.js';
import { GOLDEN_REQUEST, type GoldenView, liveGolden, openFiles } from './golden-life.js';

interface LogPlace {
  readonly fileSystem: FileSystem;
  readonly directory: string;
}

const GOLDEN = fileURLToPath(new URL('../golden/jobs-v1', import.meta.url));
const NAMES = readdirSync(GOLDEN).sort();
const VIEW = JSON.parse(readFileSync(`${GOLDEN}.json`, 'utf8')) as GoldenView;

/** All that docs/log-format.md numbered then. */
const KINDS = Array.from({ length: 22 }, (_, before) => before + 1);

const SUMS = [
  '0000000015.segment 9aabf2b5',
  '0000000016.segment dfddeec7',
  '0000000017.segment bcea6551',
  '0000000018.segment 71fde542',
  '0000000019.segment d0746da6',
  '0000000020.segment 740b9626',
  '0000000021.segment 8bef73f7',
  '0000000022.segment b87033b0',
  '0000000023.segment a78a696a',
  '0000000024.segment a8fae64c',
  '0000000025.segment 93a4f440',
];

function files(): Map<string, Uint8Array> {
  return new Map(NAMES.map((name) => [name, readFileSync(join(GOLDEN, name))]));
}

it('still has the bytes that were written then', () => {
  expect([...files()].map(([name, bytes]) => `${name} ${crc32c(bytes).toString(16)}`)).toEqual(SUMS);
});

it.each([
  ['it', (): LogPlace => ({ fileSystem: new NodeFileSystem(), directory: GOLDEN })],
  ['the life that made it', (): LogPlace => ({ fileSystem: liveGolden().files, directory: '/store' })],
])('%s holds every kind of record that there was then', (_, log) => {
  const { fileSystem, directory } = log();
  const kinds = new Set<number>();
  const remembered = new Set<number>();
  examineLog(fileSystem, directory, {
    record: ({ kind, buffer, offset }) => {
      kinds.add(kind);
      if (kind === RECORD.remembered) remembered.add(buffer[offset]!);
    },
  });
  expect(KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
  // Requests, and windows of keys.
  expect([...remembered].sort()).toEqual([1, 2]);
});

it('shows what it showed then, also after another open, a power cut and compaction', () => {
  const rig = openFiles(files(), VIEW.wallMs);
  const shown = () => JSON.parse(JSON.stringify(allJobs(rig))) as unknown;
  expect(shown()).toMatchObject(VIEW.jobs);
  rig.reopen('closed');
  rig.reopen('crashed');
  const first = rig.engine.storage().segments[0]!.number;
  for (let tick = 0; tick < 400; tick++) rig.advance(2);
  expect(rig.engine.storage().segments[0]!.number).toBeGreaterThan(first);
  expect(shown()).toMatchObject(VIEW.jobs);
});

it('remembers calls and keys of then', () => {
  const rig = openFiles(files(), VIEW.wallMs);
  const again = newAnswer<Parameters<typeof eachOf>[0]>();
  const before = rig.engine.queues().length;
  rig.engine.enqueue(inColumns([{ shape: SHAPE, payload: '"asked for once"' }]), noteIn(again), GOLDEN_REQUEST);
  rig.settle();
  expect(again.error).toBeUndefined();
  const [job] = eachOf(again.value!);
  expect(rig.job(job!.id)).toMatchObject({ payload: '"asked for once"', state: 'scheduled' });
  const dedupe = { onConflict: 'keep', forMs: 1 } as const;
  const work = (queue: string, key: string) => ({ shape: { ...SHAPE, queue }, dedupe: { ...dedupe, key } });
  const outcomes = rig.tryEnqueue(work('windows', 'report-1'), work('keys', 'cart-7'), work('keys', 'free'));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['duplicate', 'duplicate', 'created']);
  expect(rig.engine.queues()).toHaveLength(before);
});
