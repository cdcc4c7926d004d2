import process from 'node:process';

/** Some peers need a newer Node than Holdfast does; older ones get the last version that ran on them. */
export function isNodeAtLeast(major: number, minor: number, version = process.versions.node): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
