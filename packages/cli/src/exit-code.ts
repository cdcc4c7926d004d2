/** What a command ends with: docs/cli.md. */
export const EXIT = {
  /** The log is sound, or the work is done and nothing is lost. */
  sound: 0,
  /** The log is damaged, or something was lost. */
  damaged: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** A file or directory could not be read or written. */
  unreadable: 3,
  /** Written by a newer Holdfast, or not by Holdfast. */
  unknownFormat: 4,
  /** Nothing was tried: the log is in use, or the target is not empty. */
  refused: 5,
  /** A mistake of this program, which says nothing about the log. The number is EX_SOFTWARE of sysexits(3). */
  mistake: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
