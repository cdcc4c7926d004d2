import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

let library: string | undefined;

/**
 * The environment of a process whose fsyncs take longer; `undefined` where that library cannot be built (no C compiler, no Linux).
 */
export function slowSyncEnvironment(delayMs: number): NodeJS.ProcessEnv | undefined {
  try {
    library ??= build();
    return { ...process.env, LD_PRELOAD: library, SLOW_SYNC_MICROSECONDS: String(delayMs * 1000) };
  } catch {
    return undefined;
  }
}

function build(): string {
  const made = join(mkdtempSync(join(tmpdir(), 'holdfast-shim-')), 'slow-sync.so');
  const source = fileURLToPath(new URL('../shim/slow-sync.c', import.meta.url));
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', made, source, '-ldl'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return made;
}
