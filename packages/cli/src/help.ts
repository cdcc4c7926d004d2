const CODES = `Exit codes: 0 sound, nothing lost · 1 damaged, or something lost · 2 usage · 3 cannot be read or written ·
  4 unknown format · 5 refused (in use, or the target is not empty) ·
  70 a mistake of this program`;

/** What each command says about itself. */
export const HELP = {
  holdfast: `holdfast: looks after the log of a Holdfast store

Usage:
  holdfast verify <dir> [--json]                        reads everything and judges it
  holdfast repair <dir> --to <new-dir> [--dry-run]      copies what is whole of a damaged log
  holdfast snapshot <dir> <target>                      copies a sound log, as a backup
  holdfast move <from> <to>                             copies all jobs into an empty store of another kind
  holdfast dump <dir> [--segment n] [--from seq] ...    prints segments, frames and records as JSON lines
  holdfast dashboard <dir | postgres://… | mysql://…>   serves the dashboard on this machine

  holdfast <command> --help                             more about one of them
  holdfast --version

All but dashboard leave the directory as it is. verify, snapshot and dump may be used while the store is open.

${CODES}`,

  verify: `holdfast verify <dir> [--json]

Reads every byte of a log: headers, frames, the checksum of each record, and the life of each job. Then says whether an open
of the store would find it sound, would cut a torn end, or would refuse it as damaged, and where.

It writes nothing and takes no lock, so it may run while the store is open. The very end can look torn then.

  --json    one JSON document instead of text

${CODES}
A torn end is sound: nothing in it was ever answered as stored.`,

  repair: `holdfast repair <dir> --to <new-dir> [--dry-run] [--json]

Makes a new log of all records in <dir> that are provably whole, and says what is lost. <dir> is never changed. The new log opens
with the same job ids; tokens of leases are greater than all before. The report is also kept there, as repair-report.json.

  --to <new-dir>   an empty directory, or one that does not exist yet
  --dry-run        says what would be lost, and writes nothing
  --json           the report as one JSON document instead of text

The store must be closed. Jobs that were completed in the lost part come back and run again: the report names them.

${CODES}`,

  snapshot: `holdfast snapshot <dir> <target> [--json]

Makes a backup: a copy of the log in <target>, as it is at one moment, with everything that was answered before. The log is read whole
first; a damaged one is refused. It takes no lock, so it may run while the store is open. The copy is a log that can be
opened; it gives out no id or token that the store gives out in its next 1,000 opens.

  <target>   an empty directory, or one that does not exist yet
  --json     the report as one JSON document instead of text

${CODES}`,

  move: `holdfast move <from> <to> [--schema name] [--keep n] [--json]

Copies all jobs with their whole state from one store into another one that is empty, as a whole or not at all: a log into a database,
a database into a log, or one database into another. Databases are PostgreSQL, MySQL and MariaDB. Ids stay. Every job is read again and
compared before the copy counts. The source is not changed; it must not be in use. A move that was stopped leaves nothing that opens,
and is simply begun again: that removes what is left of it. Do not open <to> before the move has ended.

  <from>, <to>    a directory, or a URL such as postgres://app@db/app or mysql://app@db/app
  --schema name   of the tables in a database, on both sides if both are databases; holdfast where nothing else is said
  --keep n        of each queue of a log only the last n completed and cancelled jobs
  --json          the report as one JSON document instead of text

${CODES}`,

  dump: `holdfast dump <dir> [--segment n] [--from seq] [--job id] [--no-payload]

Prints the log as JSON lines: one for each segment header, frame and record, in order. It writes nothing and takes no lock, so it
may run while the store is open; a half-written end is noted on stderr. Damage is noted there too, and the dump goes on behind it.

  --segment n     only this segment
  --from seq      only frames from this sequence number on
  --job id        only the records of this job, as the dashboard shows its id, or as its number in the log
  --no-payload    leaves out payloads, results and bodies that cannot be decoded

Control and other invisible characters are escaped, so the lines are safe on a terminal.

${CODES}`,

  dashboard: `holdfast dashboard <dir | postgres://… | mysql://…> [--port n] [--role viewer|operator|admin] [--read-only] [--schema name]

Serves the dashboard on 127.0.0.1 until Ctrl-C, and prints the address to open. The address holds a token: whoever has it may enter.

A directory that nobody has open is opened as by an application: this process then owns it, and an application that wants it is
refused until this one ends. One that another process has open is only read: the jobs are shown as the log has them, read again
every 5 seconds where it has grown, and every act is refused. Nothing is written there then.

  --port n        the port; without it, one that is free
  --role          what whoever opens the address may do; default: admin
  --read-only     only reads a directory that is free, too
  --schema name   where the tables of a database are; default: holdfast

${CODES}`,
} as const;

export type HelpTopic = keyof typeof HELP;
