import { expect, it } from 'vitest';
import { EngineRig, SHAPE } from './engine-rig.js';

const SEGMENT_BYTES = 256 * 1024;
const YEAR_MS = 365 * 86_400_000;
const DEAD_JOBS = 1000;
const PER_SECOND = 20;
const BACKLOG_SECONDS = 60;
const PAYLOAD = JSON.stringify({ text: 'p'.repeat(180) });

/** Live bytes and bytes of all segments. */
function sizes(rig: EngineRig): { readonly live: number; readonly bytes: number } {
  const { segments, bytes } = rig.engine.storage();
  return { live: segments.reduce((sum, { liveBytes }) => sum + liveBytes!, 0), bytes };
}

it('keeps the disk under twice the live bytes and two segments for an hour of steady load', { timeout: 60_000 }, () => {
  const rig = new EngineRig({ segmentBytes: SEGMENT_BYTES, completedKept: 100 });
  const [nextYear] = rig.enqueue({ shape: { ...SHAPE, queue: 'rare' }, delayMs: YEAR_MS, payload: '"rare"' });
  const deadShape = { ...SHAPE, queue: 'dead' };
  const dead = rig.enqueue(...Array.from({ length: DEAD_JOBS }, () => ({ shape: deadShape, payload: PAYLOAD })));
  const error = { class: 'Error', message: 'no such address', stack: 's'.repeat(500) };
  for (let jobs = rig.claim({ queues: ['dead'] }); jobs.length > 0; jobs = rig.claim({ queues: ['dead'] })) {
    rig.fail(jobs, 'dead', error);
  }
  let most = 0;
  let written = 0;
  for (let second = 0; second < 3600; second++) {
    rig.enqueue(...Array.from({ length: PER_SECOND }, () => ({ payload: PAYLOAD })));
    if (second >= BACKLOG_SECONDS) rig.ack(...rig.claim({ limit: PER_SECOND }));
    written += PER_SECOND * PAYLOAD.length;
    for (let part = 0; part < 4; part++) rig.advance(250);
    const { live, bytes } = sizes(rig);
    most = Math.max(most, (bytes - 2 * live) / SEGMENT_BYTES);
  }
  // There was far more than the disk holds at rest, so compaction had to work for it.
  const { live, bytes } = sizes(rig);
  expect(written).toBeGreaterThan(4 * bytes);
  expect(live).toBeGreaterThan(2 * SEGMENT_BYTES);
  expect(most).toBeLessThanOrEqual(2);
  const { compaction, segments } = rig.engine.storage();
  expect(compaction!.movedJobs).toBeGreaterThan(DEAD_JOBS);
  expect(segments[0]!.number).toBeGreaterThan(10);
  console.log(
    `an hour: ${(written / 2 ** 20).toFixed(1)} MiB of payloads; at the end live ${(live / 2 ** 20).toFixed(2)} MiB, on disk ` +
      `${(bytes / 2 ** 20).toFixed(2)} MiB; at most 2 × live + ${most.toFixed(2)} segments; ` +
      `${compaction!.movedJobs} jobs (${(compaction!.movedBytes / 2 ** 20).toFixed(1)} MiB) written again`,
  );

  rig.reopen('closed');
  expect(rig.state(nextYear!)).toBe('scheduled');
  for (const id of dead) {
    const { state, attemptLog } = rig.job(id)!;
    expect([state, attemptLog]).toMatchObject(['dead', [{ attempt: 1, outcome: 'failed', error }]]);
  }
  rig.advance(1000);
  rig.advance(1000);
  expect(rig.clock.timers).toBeLessThanOrEqual(1);
  expect(rig.engine.storage().compaction!.running).toBe(false);
});
