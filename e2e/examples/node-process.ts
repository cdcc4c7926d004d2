import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program as its reader starts it: a process of its own, in a directory of its own, on any free port. */
export class NodeProcess {
  readonly lines: string[] = [];
  /** Resolves with the exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  readonly #child: ChildProcess;
  #over = false;
  #looks: (() => void)[] = [];

  constructor(script: string, directory: string, environment: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(process.execPath, [script], {
      cwd: directory,
      env: { ...process.env, NO_COLOR: '1', PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const input of [this.#child.stdout!, this.#child.stderr!]) {
      createInterface({ input }).on('line', (line) => this.#hear(line));
    }
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#over = true;
        this.#lookAgain();
        resolve(code ?? signal ?? 'nothing');
      });
    });
  }

  /** All that it printed so far. */
  get output(): string {
    return this.lines.join('\n');
  }

  /** What the first line that matches has in its first group. @throws Error when it ended without such a line */
  async said(pattern: RegExp): Promise<string> {
    for (;;) {
      for (const line of this.lines) {
        const found = pattern.exec(line);
        if (found !== null) return found[1] ?? found[0];
      }
      if (this.#over) throw new Error(`The program ended without saying ${pattern}:\n${this.output}`);
      await new Promise<void>((look) => this.#looks.push(look));
    }
  }

  async stop(): Promise<number | string> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  #hear(line: string): void {
    this.lines.push(line);
    this.#lookAgain();
  }

  #lookAgain(): void {
    for (const look of this.#looks.splice(0)) look();
  }
}

/** Sends JSON and reads JSON. @throws Error when nothing was created */
export async function post(url: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}
