// A PostgreSQL server from npm packages, for machines that have none.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installedPrograms } from './programs.mjs';

/** None can be had on this machine. The message says why. */
export class NoEmbeddedPostgresError extends Error {}

/** The server, from its start until `close`, or until this process ends in any way. */
export class EmbeddedPostgres {
  /** @type {import('node:child_process').ChildProcess} */
  #guard;

  /** @readonly */
  url;

  /** @readonly */
  version;

  /**
   * The folder with `initdb` and `pg_ctl`.
   *
   * @readonly
   */
  programs;

  /**
   * @param {import('node:child_process').ChildProcess} guard
   * @param {{ readonly url: string, readonly version: string, readonly programs: string }} answer
   */
  constructor(guard, { url, version, programs }) {
    this.#guard = guard;
    this.url = url;
    this.version = version;
    this.programs = programs;
  }

  /**
   * In a temporary directory, on a free port.
   *
   * @throws {NoEmbeddedPostgresError}
   */
  static async start(programs = installedPrograms()) {
    if ('missing' in programs) throw new NoEmbeddedPostgresError(programs.missing);
    // In a group of its own: Ctrl-C is for the run, and reaches the server when the run has ended.
    const guard = spawn(process.execPath, [join(import.meta.dirname, 'guard.mjs'), programs.folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
      windowsHide: true,
    });
    const lines = createInterface({ input: guard.stdout });
    const [line] = await Promise.race([once(lines, 'line'), once(guard, 'close').then(() => ['{}'])]);
    const answer = JSON.parse(line);
    if (answer.url !== undefined) return new EmbeddedPostgres(guard, answer);
    throw new NoEmbeddedPostgresError(answer.failed ?? 'its process ended without a word');
  }

  /** Answers when nothing is left of it. */
  async close() {
    if (this.#guard.exitCode !== null || this.#guard.signalCode !== null) return;
    const ended = once(this.#guard, 'exit');
    this.#guard.stdin?.end();
    await ended;
  }
}
