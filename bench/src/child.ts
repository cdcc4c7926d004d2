import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A script in a process of its own, that answers each message with one. */
export class Child<Message extends object | string, Answer> {
  readonly #process: ChildProcess;

  constructor(script: URL, ...given: readonly string[]) {
    this.#process = fork(fileURLToPath(script), given, {
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  /** What it says by itself, or says to this. @throws Error if it ends instead */
  async told(message?: Message): Promise<Answer> {
    const over = new AbortController();
    const { signal } = over;
    const heard = once(this.#process, 'message', { signal });
    if (message !== undefined) this.#process.send(message);
    const ended = once(this.#process, 'exit', { signal }).then(() => {
      throw new Error('A process of the measurement ended without an answer.');
    });
    try {
      const [answer] = await Promise.race([heard, ended]);
      return answer as Answer;
    } finally {
      over.abort();
      await Promise.allSettled([heard, ended]);
    }
  }

  end(): void {
    this.#process.kill('SIGKILL');
  }
}
