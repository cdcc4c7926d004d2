import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A Node process that runs one of the programs in `children/` and says what it does, a line each. */
export class Child {
  readonly lines: string[] = [];
  /** Code or signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly #process: ChildProcess;
  #onLine: () => void = () => {};

  constructor(program: string, ...programArguments: readonly string[]) {
    const path = fileURLToPath(new URL(`children/${program}`, import.meta.url));
    const child = spawn(process.execPath, [path, ...programArguments], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code ?? -1)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.#onLine();
    });
    onTestFinished(() => void child.kill('SIGKILL'));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Resolves when it has said the line, or so many lines; rejects when it ends without. */
  async until(reached: string | number): Promise<void> {
    const isReached = () => (typeof reached === 'string' ? this.lines.includes(reached) : this.lines.length >= reached);
    const said = new Promise<true>((resolve) => {
      this.#onLine = () => isReached() && resolve(true);
      this.#onLine();
    });
    const outcome = await Promise.race([said, this.ended]);
    if (outcome !== true && !isReached()) throw new Error(`The child ended (${outcome}) before it reached ${reached}.`);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }
}
