#!/usr/bin/env node
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { run } from './run.js';
import { stopSignal } from './stop-signal.js';

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  stopped: stopSignal,
});
