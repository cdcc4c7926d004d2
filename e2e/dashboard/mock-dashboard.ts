import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '..', '..', 'apps', 'dashboard', 'dev', 'mock-server.mjs');
const START_MS_MAX = 20_000;

export type MockMode = 'data' | 'empty' | 'failing' | 'full' | 'failed-store' | 'closed';
export type MockRole = 'viewer' | 'operator' | 'admin';

/** The built dashboard over made-up data, in every state that a real store is rarely in. */
export class MockDashboard {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(...options: readonly string[]): Promise<MockDashboard> {
    const child = spawn(process.execPath, [SERVER, '--port', '0', ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      const overdue = setTimeout(() => reject(new Error('The mock server did not start.')), START_MS_MAX);
      child.once('exit', (code) => reject(new Error(`The mock server ended (${code}).`)));
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        const announced = /http:\S+/.exec(text)?.[0];
        if (announced === undefined) return;
        clearTimeout(overdue);
        resolve(announced);
      });
    });
    return new MockDashboard(child, url);
  }

  /** As it was when it started. */
  async begin(): Promise<void> {
    await fetch(`${this.url}__mock?mode=data&role=admin&fresh`, { method: 'POST' });
  }

  async become(mode: MockMode, role: MockRole = 'admin'): Promise<void> {
    await fetch(`${this.url}__mock?mode=${mode}&role=${role}`, { method: 'POST' });
  }

  stop(): void {
    this.#child.kill();
  }
}
