// What one measured value costs: node packages/core/test/log/measure-histograms.mjs (after a build).
import { performance } from 'node:perf_hooks';
import { HistogramTiers } from '../../dist/engine/histogram-tiers.js';

const VALUES = 10_000_000;
const START_MS = 1_700_000_000_000;
const tiers = new HistogramTiers();
const given = Float64Array.from({ length: 4096 }, (_, index) => ((index * 7919) % 4096) * 1234.5);

/** @param {(nowMs: number, value: number) => void} use */
function nanoseconds(use) {
  const startedMs = performance.now();
  for (let index = 0; index < VALUES; index++) use(START_MS + (index >> 10), given[index & 4095] ?? 0);
  return ((performance.now() - startedMs) * 1e6) / VALUES;
}

let sum = 0;
for (let round = 0; round < 5; round++) {
  const loop = nanoseconds((nowMs, value) => {
    sum += nowMs + value;
  });
  const whole = nanoseconds((nowMs, value) => tiers.record(nowMs, value));
  console.log(`${(whole - loop).toFixed(1)} ns a value beside ${loop.toFixed(1)} ns of the loop itself`);
}
if (sum === 0) throw new Error('the loop was left out');
