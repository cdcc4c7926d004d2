import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program of Node to its end; one that does not end in time is killed. */
export function run(
  script: string,
  args: readonly string[],
  { cwd, env = {}, timeoutMs = 90_000 }: { readonly cwd: string; readonly env?: object; readonly timeoutMs?: number },
): Promise<Ended> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
