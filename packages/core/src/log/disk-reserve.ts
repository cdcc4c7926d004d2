import { join } from 'node:path';
import type { Random } from '@holdfast/contract';
import type { FileSystem, LogFile } from './file-system.js';

export const RESERVE_NAME = 'disk.reserve';
/** Written at once: well under a millisecond. */
const STEP_BYTES = 512 * 1024;
/** Repeated in the file; larger than what file systems compress or share as one. */
const BLOCK_BYTES = 64 * 1024;
/** A rest of this size is given up as a whole. */
const REST_BYTES = 16 * 1024;

/**
 * A file whose bytes are worth only the room that they take: given up when the disk is full. They are random, because a file system
 * may store others as a hole. Nothing of it is ever synced or read.
 */
export class DiskReserve {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #random: Random;
  #file: LogFile | undefined;
  #heldBytes = 0;
  #block: Uint8Array | undefined;

  /** Finds what a former owner of the directory left. @param bytes what is more than this is given back */
  constructor(fileSystem: FileSystem, directory: string, random: Random, bytes: number) {
    this.#fileSystem = fileSystem;
    this.#path = join(directory, RESERVE_NAME);
    this.#random = random;
    if (!fileSystem.list(directory).some(({ name, isFile }) => isFile && name === RESERVE_NAME)) return;
    if (bytes === 0) {
      fileSystem.remove(this.#path);
      return;
    }
    this.#file = fileSystem.open(this.#path, 'write');
    this.#heldBytes = this.#file.size();
    if (this.#heldBytes > bytes) this.#cutTo(bytes);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Writes some more of it, up to `bytes` in all. @throws as the disk says */
  grow(bytes: number): void {
    this.#file ??= this.#fileSystem.open(this.#path, 'create');
    this.#block ??= this.#random.bytes(BLOCK_BYTES);
    const end = Math.min(bytes, this.#heldBytes + STEP_BYTES);
    while (this.#heldBytes < end) {
      const block = this.#block.subarray(0, end - this.#heldBytes);
      this.#heldBytes += this.#file.write(block, this.#heldBytes);
    }
    if (end === bytes) this.#block = undefined;
  }

  /** Gives up half of it. @returns whether there was anything to give up */
  giveUp(): boolean {
    if (this.#heldBytes === 0) return false;
    this.#cutTo(this.#heldBytes <= REST_BYTES ? 0 : Math.floor(this.#heldBytes / 2));
    return true;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #cutTo(bytes: number): void {
    this.#file?.truncate(bytes);
    this.#heldBytes = bytes;
  }
}
