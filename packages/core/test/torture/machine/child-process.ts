import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cleanUpLater } from './cleanup.js';

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A program with its arguments to run Node under, such as strace. */
  readonly under?: readonly string[];
}

/** How a process ended: a code or a signal, and what it had to say about it. */
export interface ChildEnd {
  readonly code: number | NodeJS.Signals;
  readonly errors: string;
}

/** A Node process that runs one of the programs in `children/` and says what it does, a line each. */
export class Child {
  readonly lines: string[] = [];
  readonly ended: Promise<ChildEnd>;
  readonly #process: ChildProcess;
  #errors = '';
  #onLine: () => void = () => {};
  #end: ChildEnd | undefined;

  constructor(program: string, programArguments: readonly string[], options: ChildOptions = {}) {
    const path = fileURLToPath(new URL(`../children/${program}`, import.meta.url));
    const [file = '', ...rest] = [...(options.under ?? []), process.execPath, path, ...programArguments];
    const child = spawn(file, rest, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...options.env } });
    this.#process = child;
    const killNow = cleanUpLater(() => child.kill('SIGKILL'));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = `${this.#errors}${text}`.slice(-20_000);
    });
    // A child that is gone takes no more orders.
    child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => this.#finish(resolve, -1, error.message));
      child.once('close', (code, signal) => this.#finish(resolve, signal ?? code ?? -1));
    });
    void this.ended.then(killNow);
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.#onLine();
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get isGone(): boolean {
    return this.#end !== undefined;
  }

  /** Resolves when it has said the line, with true; or when it ended without, with false. */
  async says(line: string | RegExp): Promise<boolean> {
    const isSaid = () => this.lines.some((said) => (typeof line === 'string' ? said === line : line.test(said)));
    const said = new Promise<void>((resolve) => {
      this.#onLine = () => isSaid() && resolve();
      this.#onLine();
    });
    await Promise.race([said, this.ended]);
    return isSaid();
  }

  tell(line: string): void {
    this.#process.stdin?.write(`${line}\n`);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  continue(): void {
    this.#process.kill('SIGCONT');
  }

  /** Stops all its threads; resolves when none of them runs any more, not even inside the kernel. */
  async stop(): Promise<void> {
    this.#process.kill('SIGSTOP');
    for (let tries = 0; tries < 5000 && !this.isGone; tries++) {
      if (threadStates(this.pid).every((state) => state === 'T' || state === 't' || state === 'Z')) return;
      await pause(1);
    }
    if (!this.isGone) throw new Error(`Process ${this.pid} did not stop within 5 seconds.`);
  }

  #finish(resolve: (end: ChildEnd) => void, code: number | NodeJS.Signals, more = ''): void {
    this.#end = { code, errors: this.#errors + more };
    resolve(this.#end);
  }
}

function threadStates(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
      return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    });
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
