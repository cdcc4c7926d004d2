import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const COMMAND = join(dirname(createRequire(import.meta.url).resolve('holdfast/package.json')), 'dist', 'bin.js');

/** `holdfast dashboard` in a process of its own. */
export class LoneDashboard {
  /** As it was printed: with its token. */
  readonly address: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
  }

  static async start(...words: readonly string[]): Promise<LoneDashboard> {
    const child = spawn(process.execPath, [COMMAND, 'dashboard', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) return new LoneDashboard(child, line);
    throw new Error('The dashboard ended without an address.');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
  }
}
