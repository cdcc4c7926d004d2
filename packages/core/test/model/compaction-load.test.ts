import { expect, it } from 'vitest';
import { EngineRig, SHAPE } from './engine-rig.js';

const SEGMENT_BYTES = 256 * 1024;
const YEAR_MS = 365 * 86_400_000;
const DEAD_JOBS = 1000;
const MILLISECONDS = 600;
const PAYLOAD = JSON.stringify({ text: 'p'.repeat(150) });
const ERROR = { class: 'Error', message: 'no such address', stack: 's'.repeat(300) };

function many(count: number, queue: string) {
  return Array.from({ length: count }, () => ({ shape: { ...SHAPE, queue }, payload: PAYLOAD }));
}

/** Live bytes and bytes of all segments, in segments. */
function sizes(rig: EngineRig): { readonly live: number; readonly all: number } {
  const { segments, bytes } = rig.engine.storage();
  const live = segments.reduce((sum, { liveBytes }) => sum + liveBytes!, 0);
  return { live: live / SEGMENT_BYTES, all: bytes / SEGMENT_BYTES };
}

/** A job for next year, and a thousand that are dead, with their errors. */
function startWithOldJobs(): EngineRig {
  const rig = new EngineRig({ segmentBytes: SEGMENT_BYTES, completedKept: 100 });
  rig.enqueue({ shape: { ...SHAPE, queue: 'rare' }, delayMs: YEAR_MS, payload: '"rare"' });
  rig.enqueue(...many(DEAD_JOBS, 'dead'));
  for (let jobs = rig.claim({ queues: ['dead'] }); jobs.length > 0; jobs = rig.claim({ queues: ['dead'] })) {
    rig.fail(jobs, 'dead', ERROR);
  }
  return rig;
}

// A segment is full after 40 milliseconds, or 20: as if one of 64 MiB took 1.6 or 3.2 GB a second.
it.each([
  [20, 2000],
  [40, 2000],
  [20, 10_000],
])(
  'keeps the disk under twice the live bytes and two segments at %i jobs a millisecond, behind a backlog of %i',
  {
    timeout: 60_000,
  },
  (jobsPerMs, backlog) => {
    const rig = startWithOldJobs();
    rig.enqueue(...many(backlog, 'mail'));
    const first = rig.engine.storage().segments.at(-1)!.number;
    let most = 0;
    for (let ms = 0; ms < MILLISECONDS; ms++) {
      rig.enqueue(...many(jobsPerMs, 'mail'));
      rig.ack(...rig.claim({ limit: jobsPerMs }));
      rig.advance(1);
      const { live, all } = sizes(rig);
      most = Math.max(most, all - 2 * live);
    }
    const { compaction, segments } = rig.engine.storage();
    const written = segments.at(-1)!.number - first;
    const moved = compaction!.movedBytes / SEGMENT_BYTES;
    const { live, all } = sizes(rig);
    console.log(
      `${jobsPerMs} jobs a ms: ${written} segments in ${MILLISECONDS} ms, ${moved.toFixed(1)} of them written again; at the end live ` +
        `${live.toFixed(2)} segments, on disk ${all.toFixed(2)}; at most 2 × live + ${most.toFixed(2)}`,
    );
    expect(written).toBeGreaterThan(10);
    expect(compaction!.movedJobs).toBeGreaterThan(DEAD_JOBS);
    expect(most).toBeLessThanOrEqual(2);
  },
);
