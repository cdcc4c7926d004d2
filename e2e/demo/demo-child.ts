import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '..', '..', 'apps', 'demo', 'dist', 'main.js');

const START_MS_MAX = 30_000;
const STOP_MS_MAX = 15_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface DemoOptions {
  readonly dataDirectory: string;
  /** On top of: any free port, no built-in customer. */
  readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();
// A test that is cut off leaves no process behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The demo as a process of its own: started, asked, stopped and killed from outside, as its user would. */
export class DemoChild {
  readonly #child: ChildProcess;
  readonly exited: Promise<Exit>;
  #output = '';
  #url: Promise<string>;

  constructor({ dataDirectory, env }: DemoOptions) {
    this.#child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
      cwd: dataDirectory,
      env: { ...process.env, PORT: '0', DEMO_DATA: dataDirectory, DEMO_CUSTOMER: 'off', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(this.#child);
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        running.delete(this.#child);
        resolve({ code, signal });
      });
    });
    this.#url = this.#announcedUrl();
    // Whoever waits for it hears of a failure; a process that is killed while it starts has nobody who does.
    this.#url.catch(() => {});
  }

  /** A demo that takes orders. */
  static async start(options: DemoOptions): Promise<DemoChild> {
    const demo = new DemoChild(options);
    await demo.url();
    return demo;
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('The demo could not be started.');
    return pid;
  }

  get isRunning(): boolean {
    return running.has(this.#child);
  }

  /** All that it printed so far. */
  get output(): string {
    return this.#output;
  }

  /** The address of the shop. @throws Error with its output when it ends, or says nothing for too long, before that. */
  url(): Promise<string> {
    return this.#url;
  }

  /** Kills it with no chance to react. Resolves when it is gone. */
  async kill(): Promise<Exit> {
    this.#child.kill('SIGKILL');
    return this.exited;
  }

  /** Asks it to end. @throws Error when it does not within seconds; it is killed then. */
  async stop(): Promise<Exit> {
    const overdue = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS_MAX);
    this.#child.kill('SIGTERM');
    const exit = await this.exited;
    clearTimeout(overdue);
    if (exit.signal === 'SIGKILL') throw new Error(`The demo did not end within ${STOP_MS_MAX} ms:\n${this.#output}`);
    return exit;
  }

  #announcedUrl(): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (what: string) => reject(new Error(`The demo ${what}. It printed:\n${this.#output}`));
      const overdue = setTimeout(() => fail(`was not ready within ${START_MS_MAX} ms`), START_MS_MAX);
      this.#child.once('close', (code, signal) => fail(`ended while it started (${signal ?? code})`));
      this.#child.once('close', () => clearTimeout(overdue));
      const hear = (text: string) => {
        this.#output += text;
        const url = /^ *Shop +(http:\S+)/m.exec(this.#output)?.[1];
        if (url === undefined) return;
        clearTimeout(overdue);
        resolve(url);
      };
      this.#child.stdout?.setEncoding('utf8').on('data', hear);
      this.#child.stderr?.setEncoding('utf8').on('data', hear);
    });
  }
}
