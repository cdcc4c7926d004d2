import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A Node process of its own, and what it says. Killed when the test ends, if it still runs. */
export class ChildProgram {
  readonly lines: string[] = [];
  /** Resolves with `code` or the signal's name. */
  readonly ended: Promise<number | string>;
  readonly #child: ChildProcess;
  #looks: (() => void)[] = [];
  #over = false;

  constructor(script: string, environment: Readonly<Record<string, string>>, options: readonly string[] = []) {
    this.#child = spawn(process.execPath, [script, ...options], {
      env: { ...process.env, NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [this.#child.stdout!, this.#child.stderr!]) {
      createInterface({ input: output }).on('line', (line) => this.#hear(line));
    }
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#over = true;
        for (const look of this.#looks.splice(0)) look();
        resolve(code ?? signal ?? 'nothing');
      });
    });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The first line that matches; rejects when the program ended without one. */
  async said(pattern: RegExp): Promise<string> {
    for (;;) {
      const line = this.lines.find((heard) => pattern.test(heard));
      if (line !== undefined) return line;
      if (this.#over) throw new Error(`The program ended without saying ${pattern}:\n${this.lines.join('\n')}`);
      await new Promise<void>((look) => this.#looks.push(look));
    }
  }

  #hear(line: string): void {
    this.lines.push(line);
    for (const look of this.#looks.splice(0)) look();
  }
}
