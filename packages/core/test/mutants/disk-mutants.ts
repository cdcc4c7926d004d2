import type { CatchingTest, Mutant } from './mutant.js';

const LOG = 'packages/core/src/log';

const segmentedLog = (title: string): CatchingTest => ({ file: `${LOG}/segmented-log.test.ts`, title });
const nodeFiles = (title: string): CatchingTest => ({ file: `${LOG}/node-file-system.test.ts`, title });
const crash = (title: string): CatchingTest => ({ file: 'packages/core/test/sim/crash.test.ts', title });
const noLoss = crash('loses nothing durable and never takes a crash for damage');
const interrupted = crash('recovers from a recovery that ended at any of its steps');

/** Syncs, names, locks, and what an open does about a log that was cut off. */
export const DISK_MUTANTS: readonly Mutant[] = [
  {
    name: 'short-write-ignored',
    mistake: 'A write that the disk took in part counts as whole.',
    file: `${LOG}/segment-writer.ts`,
    text: 'done += count;',
    replacement: 'done = bytes.length + 0 * count;',
    caughtBy: noLoss,
  },
  {
    name: 'short-read-ignored',
    mistake: 'A read that gave a part is taken for the end of the file.',
    file: `${LOG}/read-window.ts`,
    text: 'while (length < bytes) {',
    replacement: 'for (; length === 0; ) {',
    caughtBy: noLoss,
  },
  {
    name: 'new-segment-unsynced',
    mistake: 'The header of a new segment is not synced before the segment gets its name.',
    file: `${LOG}/segment-writer.ts`,
    text: 'file.sync();',
    replacement: '',
    caughtBy: noLoss,
  },
  {
    name: 'directory-unsynced',
    mistake: 'The directory is not synced after a file was made and renamed.',
    file: `${LOG}/segment-writer.ts`,
    text: 'fileSystem.syncDirectory(dirname(path));',
    replacement: '',
    caughtBy: noLoss,
  },
  {
    name: 'new-directory-unsynced',
    mistake: 'The names of new directories are not synced.',
    file: `${LOG}/node-file-system.ts`,
    text: 'this.syncDirectory(dirname(made));',
    replacement: 'void made;',
    caughtBy: nodeFiles('makes the name of each new directory durable'),
  },
  {
    name: 'sealed-too-early',
    mistake: 'A segment is sealed before the next one is durable.',
    file: `${LOG}/segmented-log.ts`,
    text: 'const seal = planSeal(this.#nextPlace());',
    replacement:
      'const seal = planSeal(this.#nextPlace()); old.append(seal.bytes); old.file.syncData(); old.append = () => {};',
    caughtBy: noLoss,
  },
  {
    name: 'seal-unsynced',
    mistake: 'Frames go into the next segment although the seal of the one before is not durable.',
    file: `${LOG}/segmented-log.ts`,
    text: 'old.file.syncData();',
    replacement: '',
    caughtBy: noLoss,
  },
  {
    name: 'rotated-under-a-sync',
    mistake: 'The next segment is started while a sync of this one is under way.',
    file: `${LOG}/segmented-log.ts`,
    text: 'if (!this.#syncing) this.#rotateWhenFull();',
    replacement: 'this.#rotateWhenFull();',
    caughtBy: segmentedLog('starts the next segment when one is full, no sync is under way and nothing is pending'),
  },
  {
    name: 'sync-covers-too-much',
    mistake: 'A sync is taken to cover what was written after it began.',
    file: `${LOG}/segmented-log.ts`,
    text: 'this.#durableSeq = Math.max(this.#durableSeq, upTo);',
    replacement: 'this.#durableSeq = Math.max(this.#writtenSeq, upTo);',
    caughtBy: segmentedLog('is durable up to the frame before which a sync began'),
  },
  {
    name: 'sync-retried',
    mistake: 'A sync that failed is done again, and its success is believed.',
    file: `${LOG}/segmented-log.ts`,
    text: "if (error !== undefined) this.#poison('sync', error);",
    replacement: 'if (error !== undefined) file.syncData();',
    caughtBy: segmentedLog('is poisoned by a sync that fails in the background'),
  },
  {
    name: 'failure-forgotten',
    mistake: 'The log goes on after a write that failed.',
    file: `${LOG}/segmented-log.ts`,
    text: "this.#failure ??= new StoreFailedError('unknown', detail, { cause });\n    return this.#failure;",
    replacement: "return new StoreFailedError('unknown', detail, { cause });",
    caughtBy: segmentedLog('is poisoned by a write that fails with EIO, and whole after the next open'),
  },
  {
    name: 'torn-tail-not-kept',
    mistake: 'The bytes of a torn tail are cut off and not kept.',
    file: `${LOG}/quarantine.ts`,
    text: 'writeFully(target, piece.subarray(0, count), done);',
    replacement: '',
    caughtBy: segmentedLog('cuts a torn tail, keeps its bytes and says so'),
  },
  {
    name: 'tail-mended-in-place',
    mistake: 'A torn segment is mended in place, not replaced by a durable copy.',
    file: `${LOG}/segment-rewrite.ts`,
    text: 'makeWhole(target.fileSystem, target.directory, segment.file, fill).close();',
    replacement:
      "const file = target.fileSystem.open(segment.file, 'write'); fill(file); file.syncData(); void makeWhole;",
    caughtBy: interrupted,
  },
  {
    name: 'tail-added-to',
    mistake: 'A log that was cut off is added to as if it had been closed in order.',
    file: `${LOG}/recovery.ts`,
    text: 'tail === undefined || examination.clean ? tail?.header.salt : randomSalt(options.random);',
    replacement: 'tail?.header.salt; (examination as { clean: boolean }).clean = true;',
    caughtBy: noLoss,
  },
  {
    name: 'retired-removed-first',
    mistake: 'Retired segments are removed before the header that retires them is durable.',
    file: `${LOG}/recovery.ts`,
    text: 'const tail = examination.segments.at(-1);\n  const salt',
    replacement:
      'for (const { file } of examination.retired.splice(0)) fileSystem.remove(file);\n  const tail = examination.segments.at(-1);\n  const salt',
    caughtBy: segmentedLog('removes retired segments only when the header that retires them is durable'),
  },
  {
    name: 'leftovers-left',
    mistake: 'A file that was being made when the process ended stays for ever.',
    file: `${LOG}/recovery.ts`,
    text: 'for (const name of examination.temporary) fileSystem.remove(join(directory, name));',
    replacement: '',
    caughtBy: segmentedLog('removes what was being made, and segments that are retired'),
  },
  {
    name: 'epoch-not-raised',
    mistake: 'An open goes on in the epoch of the one before.',
    file: `${LOG}/open-sequence.ts`,
    text: '1 + largest(headers, ({ epoch: used }) => used)',
    replacement: 'Math.max(1, largest(headers, ({ epoch: used }) => used))',
    caughtBy: segmentedLog('counts frames across opens and gives each open an epoch'),
  },
  {
    name: 'id-floor-not-written',
    mistake: 'The next segment does not say which ids were given out.',
    file: `${LOG}/segmented-log.ts`,
    text: 'this.#nextId = Math.max(this.#nextId, nextId);',
    replacement: 'void nextId;',
    caughtBy: segmentedLog('starts the next segment when one is full, no sync is under way and nothing is pending'),
  },
  {
    name: 'id-floor-not-read',
    mistake: 'An open overlooks the id floor in the headers of the segments.',
    file: `${LOG}/open-sequence.ts`,
    text: 'largest(headers, (header) => header.idFloor),',
    replacement: '0,',
    caughtBy: {
      file: 'packages/core/src/engine/log-engine.test.ts',
      title: 'holds also where no record of those ids is left',
    },
  },
  {
    name: 'lock-ignored',
    mistake: 'A directory is opened although somebody else holds its lock.',
    file: `${LOG}/directory-lock.ts`,
    text: "if ('holderPid' in lock) throw new StoreLockedError(directory, lock.holderPid);",
    replacement: "if ('holderPid' in lock) return { unlock: () => void StoreLockedError };",
    caughtBy: segmentedLog('gives the lock back when it is closed, also when closing fails'),
  },
  {
    name: 'lock-not-taken',
    mistake: 'The lock file is made and noted in, but never locked.',
    file: `${LOG}/node-file-system.ts`,
    text: 'if (!locks.tryLock(descriptor)) {',
    replacement: 'if (locks === undefined) {',
    caughtBy: nodeFiles('locks once, notes its process, and lets go'),
  },
  {
    name: 'lock-kept',
    mistake: 'An open that fails keeps the lock.',
    file: `${LOG}/open-sequence.ts`,
    text: 'lock.unlock();',
    replacement: '',
    caughtBy: segmentedLog('gives the lock back when an open fails'),
  },
  {
    name: 'other-store-taken',
    mistake: 'A store that is opened again takes whatever is in its directory now, also nothing.',
    file: `${LOG}/open-sequence.ts`,
    text: 'requireFormer(headers[0]?.storeId, options);',
    replacement: 'void requireFormer;',
    caughtBy: segmentedLog('opens again what was open before, and nothing else'),
  },
];
