import { isDiskFull } from './disk-full.js';
import type { FileSystem, LogFile } from './file-system.js';

export interface Reserve {
  /** So many bytes were written. */
  wrote(bytes: number): void;
  /** @returns whether there is more room than before */
  giveUp(): boolean;
}

/**
 * The same disk, but a call that it refuses because it is full is made again, unchanged, as long as room can be made for it. Syncs are
 * not: what a failed one has left undone is unknown.
 */
export function fileSystemWithReserve(fileSystem: FileSystem, reserve: Reserve): FileSystem {
  const again = <Result>(call: () => Result): Result => {
    for (;;) {
      try {
        return call();
      } catch (error) {
        if (!isDiskFull(error) || !reserve.giveUp()) throw error;
      }
    }
  };
  return {
    list: (directory) => fileSystem.list(directory),
    createDirectory: (directory) => again(() => fileSystem.createDirectory(directory)),
    open: (path, mode) => {
      const file = again(() => fileSystem.open(path, mode));
      return mode === 'read' ? file : withReserve(file, reserve, again);
    },
    link: (from, to) => again(() => fileSystem.link(from, to)),
    rename: (from, to) => again(() => fileSystem.rename(from, to)),
    remove: (path) => fileSystem.remove(path),
    removeInBackground: (path) => fileSystem.removeInBackground(path),
    syncDirectory: (directory) => fileSystem.syncDirectory(directory),
    tellSyncs: () => fileSystem.tellSyncs(),
    freeBytes: (directory) => fileSystem.freeBytes(directory),
    lock: (path) => fileSystem.lock(path),
  };
}

function withReserve(file: LogFile, reserve: Reserve, again: <Result>(call: () => Result) => Result): LogFile {
  return {
    size: () => file.size(),
    dataEnd: () => file.dataEnd(),
    read: (into, position) => file.read(into, position),
    write: (bytes, position) => {
      const count = again(() => file.write(bytes, position));
      reserve.wrote(count);
      return count;
    },
    // The reserve is for what has to be written.
    makeRoom: (bytes, position) => {
      const count = file.makeRoom(bytes, position);
      reserve.wrote(count);
      return count;
    },
    // Where nothing is changed in place, as on a file system that copies on write, to cut takes room first.
    truncate: (bytes) => again(() => file.truncate(bytes)),
    syncData: () => file.syncData(),
    syncDataInBackground: (done) => file.syncDataInBackground(done),
    sync: () => file.sync(),
    isAt: (path) => file.isAt(path),
    close: () => file.close(),
  };
}
