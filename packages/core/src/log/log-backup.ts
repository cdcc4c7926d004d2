import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Random, SnapshotReport } from '@holdfast/contract';
import { LIMITS } from '../limits.js';
import type { FileSystem, LogFile } from './file-system.js';
import { randomSalt } from './recovery.js';
import type { SegmentHeader } from './segment-header.js';
import { segmentName, TEMPORARY_SUFFIX } from './segment-name.js';
import { createSegment, writeFully } from './segment-writer.js';

/** Segments that nobody changes any more, oldest first, and the facts for the one that a copy of them goes on with. */
export interface BackupPlan {
  readonly segments: readonly { readonly file: string; readonly bytes: number; readonly mayLink: boolean }[];
  readonly next: Omit<SegmentHeader, 'salt'>;
}

export interface BackupPlace {
  /** Reads the segments. */
  readonly source: Pick<FileSystem, 'open'>;
  readonly fileSystem: FileSystem;
  readonly target: string;
  readonly random: Random;
}

/**
 * The log goes on after the backup, and a restored one goes on from the backup: neither gives out what the other one may have. So
 * many opens and ids are left to the log, which is more than it uses while a backup is worth keeping.
 */
const EPOCHS_LEFT = 1000;
const IDS_LEFT = 2 ** 30;

const PIECE_BYTES = 1024 * 1024;
/** Links and small files made in one step. */
const FILES_A_STEP = 64;
/** The disk cannot make such a link, or not between these places: the file is copied. */
const NO_LINK = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS', 'EACCES'];

/** A header from which a copy goes on apart from its log. */
export function headerApart(next: Omit<SegmentHeader, 'salt'>, minSegment: number): Omit<SegmentHeader, 'salt'> {
  const epoch = Math.max(next.epoch, Math.min(next.epoch + EPOCHS_LEFT, LIMITS.epochMax - 2));
  return { ...next, epoch, idFloor: next.idFloor + IDS_LEFT, tokenFloor: epoch * 2 ** 32, minSegment };
}

/** Makes the directory if it is absent. @throws Error if something is in it, or it lies in that of the log */
export function prepareTarget(fileSystem: FileSystem, directory: string, target: string): void {
  const away = relative(resolve(directory), resolve(target));
  if (away.split(sep)[0] !== '..' && !isAbsolute(away)) throw new Error('it lies in the directory of the store');
  fileSystem.createDirectory(target);
  if (fileSystem.list(target).length > 0) throw new Error('it exists and is not empty');
}

/**
 * Makes a copy of whole segments in an empty directory, a piece at a time. Each file gets its name when it is whole and durable, and the
 * last one, a segment without frames, when all others have theirs: until then the sealed segments before it are a log that is refused
 * as damaged, so that no half of a backup is ever taken for a whole one.
 */
export class LogBackup {
  readonly #plan: BackupPlan;
  readonly #place: BackupPlace;
  readonly #made: string[] = [];
  #next = 0;
  #copying: { readonly from: LogFile; readonly to: LogFile; readonly temporary: string; done: number } | undefined;
  #linkedBytes = 0;
  #isLinking = true;
  #isDone = false;

  constructor(plan: BackupPlan, place: BackupPlace) {
    this.#plan = plan;
    this.#place = place;
  }

  get report(): SnapshotReport {
    const { segments } = this.#plan;
    const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    return { directory: this.#place.target, segments: segments.length, bytes, linkedBytes: this.#linkedBytes };
  }

  /** So far, of `report.bytes`. */
  get copiedBytes(): number {
    const whole = this.#plan.segments.slice(0, this.#next).reduce((sum, { bytes }) => sum + bytes, 0);
    return whole + (this.#copying?.done ?? 0);
  }

  /** @returns whether there is more to do. @throws as the file system does: nothing but `undo` may follow */
  step(): boolean {
    for (let files = 0; files < FILES_A_STEP && this.#next < this.#plan.segments.length; files++) {
      if (this.#copying === undefined && this.#link()) continue;
      this.#copyPiece();
      return true;
    }
    if (this.#next < this.#plan.segments.length) return true;
    if (!this.#isDone) this.#finish();
    return false;
  }

  /** Takes away what was made, as far as that is possible; what stays is refused by every open. */
  undo(): void {
    if (this.#isDone) return;
    const { fileSystem } = this.#place;
    this.#copying?.from.close();
    this.#copying?.to.close();
    const temporary = this.#copying === undefined ? [] : [this.#copying.temporary];
    this.#copying = undefined;
    for (const path of [...temporary, ...this.#made.splice(0)].reverse()) {
      try {
        fileSystem.remove(path);
      } catch {
        // The error that led here says more.
      }
    }
  }

  /** @returns whether the next segment has become a link */
  #link(): boolean {
    const { file, bytes, mayLink } = this.#plan.segments[this.#next]!;
    if (!mayLink || !this.#isLinking) return false;
    const { fileSystem, target } = this.#place;
    const path = join(target, basename(file));
    try {
      fileSystem.link(file, path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!NO_LINK.includes(code)) throw error;
      this.#isLinking = false;
      return false;
    }
    this.#made.push(path);
    this.#linkedBytes += bytes;
    this.#next++;
    return true;
  }

  #copyPiece(): void {
    const { file, bytes } = this.#plan.segments[this.#next]!;
    const copying = this.#copying ?? this.#beginCopy(file);
    this.#copying = copying;
    const piece = new Uint8Array(Math.min(PIECE_BYTES, bytes - copying.done));
    const count = copying.from.read(piece, copying.done);
    if (count === 0 && piece.length > 0) throw new Error(`${file} is shorter than it was`);
    writeFully(copying.to, piece.subarray(0, count), copying.done);
    copying.done += count;
    if (copying.done === bytes) this.#endCopy(join(this.#place.target, basename(file)), copying.temporary);
    // Left to the end, the sync would hold up whoever waits for the store by as long as the disk takes for a whole segment.
    else copying.to.syncData();
  }

  #beginCopy(file: string) {
    const { source, target } = this.#place;
    const temporary = join(target, `${basename(file)}${TEMPORARY_SUFFIX}`);
    const from = source.open(file, 'read');
    try {
      return { from, to: this.#create(temporary, basename(file)), temporary, done: 0 };
    } catch (error) {
      from.close();
      throw error;
    }
  }

  /**
   * Another backup may be made in the same place at this moment: each would replace files of the other one, and take them away when it fails.
   * Nobody else has the temporary name now; whoever had it before has given the file its own name, or has removed it.
   */
  #create(temporary: string, name: string): LogFile {
    const { fileSystem, target } = this.#place;
    const made = fileSystem.open(temporary, 'create');
    if (!fileSystem.list(target).some((entry) => entry.name === name)) return made;
    made.close();
    fileSystem.remove(temporary);
    const problem = `EEXIST: ${join(target, name)} was made by somebody else at this moment`;
    throw Object.assign(new Error(problem), { code: 'EEXIST' });
  }

  #endCopy(path: string, temporary: string): void {
    const { from, to } = this.#copying!;
    to.sync();
    from.close();
    to.close();
    this.#place.fileSystem.rename(temporary, path);
    this.#copying = undefined;
    this.#made.push(path);
    this.#next++;
  }

  #finish(): void {
    const { fileSystem, target, random } = this.#place;
    // All names before the last one.
    fileSystem.syncDirectory(target);
    const header = { ...this.#plan.next, salt: randomSalt(random) };
    const path = join(target, segmentName(header.segmentNumber));
    this.#made.push(`${path}${TEMPORARY_SUFFIX}`, path);
    createSegment(fileSystem, target, header).file.close();
    this.#isDone = true;
  }
}
