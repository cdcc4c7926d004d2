import { examineLog, type FrameHeader, frameBytes, SEGMENT_HEADER_BYTES } from '../../src/log/index.js';
import { SeededRandom } from '../sim/seeded-random.js';
import { SimDisk } from '../sim/sim-disk.js';
import { SimFileSystem } from '../sim/sim-file-system.js';

export const DIRECTORY = '/store';

interface FrameFacts {
  readonly header: FrameHeader;
  readonly end: number;
  readonly recordsBefore: number;
}

export interface FileFacts {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly frames: FrameFacts[];
}

/** A log as its last process left it. */
export interface LogSample {
  readonly files: readonly FileFacts[];
  readonly records: number;
}

/** What an open must do about one damage: refuse, or cut the last segment at an offset and keep so many records. */
export type Expected = 'refused' | { readonly cutAt: number | undefined; readonly records: number };

/** The last segment with frames. */
export function tailOf(sample: LogSample): FileFacts {
  return sample.files.findLast(({ frames }) => frames.length > 0)!;
}

/** A frame is proven by a later one that was written after its sync; behind the last one nothing is lost. */
export function afterFlip(sample: LogSample, tail: FileFacts, position: number): Expected {
  if (position < SEGMENT_HEADER_BYTES) return 'refused';
  const index = tail.frames.findIndex(({ end }) => position < end);
  if (index === -1) return { cutAt: tail.frames.at(-1)!.end, records: sample.records };
  const { header, recordsBefore } = tail.frames[index]!;
  const isProven = tail.frames.slice(index + 1).some((later) => later.header.durableUpTo >= header.seq);
  return isProven ? 'refused' : { cutAt: header.offset, records: recordsBefore };
}

export function afterCut(sample: LogSample, tail: FileFacts, length: number): Expected {
  if (length < SEGMENT_HEADER_BYTES) return 'refused';
  // With a successor that is not used yet, a segment without frames has never been the last but one.
  const whole = tail.frames.findLast(({ end }) => end <= length);
  const cut = tail.frames.find(({ header, end }) => header.offset < length && length < end);
  const records = tail.frames.find(({ end }) => end > length)?.recordsBefore ?? sample.records;
  const start = whole?.end ?? SEGMENT_HEADER_BYTES;
  return { cutAt: cut === undefined ? undefined : start, records };
}

/** A disk with a copy of the sample, in which some files hold other bytes. */
export function diskOf(sample: LogSample, changed: Record<string, Uint8Array> = {}): SimDisk {
  const system = new SimFileSystem(new SimDisk(), new SeededRandom(1));
  system.createDirectory(DIRECTORY);
  for (const { name, bytes } of sample.files) {
    system.open(`${DIRECTORY}/${name}`, 'create').write(changed[name] ?? bytes, 0);
  }
  return system.disk;
}

/** What the files of a log hold, whose process has ended. */
export function describeLog({ disk }: SimFileSystem, directory: string): LogSample {
  const files = new Map<string, FileFacts>();
  disk.kill();
  const names = [...disk.directory(directory).current.keys()].filter((name) => name.endsWith('.segment'));
  for (const name of names.toSorted()) {
    const bytes = disk.directory(directory).current.get(name)!.current.slice();
    files.set(`${directory}/${name}`, { name, bytes, frames: [] });
  }
  let records = 0;
  examineLog(new SimFileSystem(disk, new SeededRandom(1)), directory, {
    frame: (file, header) => {
      const end = header.offset + frameBytes(header.recordsBytes);
      files.get(file)!.frames.push({ header, end, recordsBefore: records });
      records += header.recordCount;
    },
  });
  return { files: [...files.values()], records };
}
