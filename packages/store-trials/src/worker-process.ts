import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('worker.js', import.meta.url));

/** None of them outlives this process. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** A process of its own that works, and says what it does. */
export class WorkerProcess {
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;

  constructor(programArguments: readonly string[], onLine: (line: string) => void) {
    this.#child = spawn(process.execPath, [PROGRAM, ...programArguments], { stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout } = this.#child;
    if (stdout !== null) createInterface({ input: stdout }).on('line', onLine);
    const child = this.#child;
    alive.add(child);
    this.ended = new Promise((resolve) => {
      child.once('close', () => {
        alive.delete(child);
        resolve();
      });
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets it finish what it has. */
  finish(): void {
    this.#child.stdin?.end();
  }
}
