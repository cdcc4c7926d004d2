import { parseToken } from '../../src/identity.js';
import { noteSilentEnds } from './silent-ends.js';
import { QUEUES, type SimClients } from './sim-clients.js';
import type { SimProcess } from './sim-process.js';

const ROUNDS_MAX = 400;
const REST_ROUNDS = 8;
/** Compaction is through long before. */
const REST_ROUNDS_MAX = 2000;
/** In smaller segments headers are half of the bytes: compaction has no end there. */
const RESTING_SEGMENT_BYTES = 4000;

/** The faults are over: consumers wait, and every job comes to its end by the passing of time alone. */
export function drain(process: SimProcess, clients: SimClients): void {
  const { ledger, world } = process;
  const { checks } = ledger;
  for (const queue of QUEUES) clients.pauseOrResume(process, queue, false);
  turn(process);
  const unended = () =>
    [...ledger.jobs.values()].filter(({ now }) => now.state === 'waiting' || now.state === 'leased');
  let left = unended();
  for (let round = 0; round < ROUNDS_MAX && left.length > 0; round++) {
    if (ledger.openClaims === 0)
      clients.claim(process, { queues: QUEUES, names: undefined, limit: 8, waitMs: 3_600_000 });
    turn(process);
    for (const job of ledger.leased) clients.settleLease(process, job.id, job.token, 'ack');
    turn(process);
    noteSilentEnds(process);
    const waitMs = Math.min(...unended().map(({ runAtMs }) => runAtMs - world.clock.now()));
    process.advance(Math.min(Math.max(waitMs, 25), 6 * 3_600_000));
    process.finishSyncs();
    if (process.leasesDue) process.expireLeases();
    left = unended();
  }
  checks.that(
    23,
    left.length === 0,
    () =>
      `${left.length} jobs do not end: ${left[0]?.id} is ${left[0]?.now.state}, ${process.readJob(left[0]!.id)?.state}`,
  );
  checkRest(process);
}

function turn(process: SimProcess): void {
  process.endTurn();
  process.finishSyncs();
  process.finishSyncs();
}

/** The leases are those of the ledger, and the log is in proportion to what is in it. */
function checkRest(process: SimProcess): void {
  const { segmentBytes } = process.world.settings;
  const isAtWork = () => segmentBytes >= RESTING_SEGMENT_BYTES && process.engine.storage().compaction?.running === true;
  for (let round = 0; round < REST_ROUNDS_MAX && (round < REST_ROUNDS || isAtWork()); round++) {
    process.advance(25);
    process.finishSyncs();
  }
  checkLeases(process);
  const { segments, bytes } = process.engine.storage();
  const live = segments.reduce((sum, { liveBytes }) => sum + (liveBytes ?? 0), 0);
  const isBound = bytes <= 2 * live + 4 * segmentBytes + 4096;
  const { checks } = process.ledger;
  checks.that(
    20,
    isBound || segmentBytes < RESTING_SEGMENT_BYTES,
    () => `${bytes} bytes for ${live} live ones in ${segments.length} segments`,
  );
  checks.that(
    20,
    !isAtWork(),
    () => `compaction does not come to rest: ${segments.length} segments, ${bytes} bytes, ${live} live`,
  );
}

/** The store shows the leases that were handed out and have not ended, and no others. */
export function checkLeases({ engine, ledger }: SimProcess): void {
  const shown = engine.leases(1000).map(({ token }) => parseToken(token));
  const known = ledger.leased.filter(({ openCalls }) => openCalls.length === 0).map(({ token }) => token);
  const missing = known.filter((token) => !shown.includes(token));
  ledger.checks.that(16, missing.length === 0, () => `the leases ${missing.join(', ')} are gone before their end`);
  const doubtful =
    ledger.openClaims > 0 ||
    shown.length - known.length <= [...ledger.jobs.values()].filter(({ openCalls }) => openCalls.length > 0).length;
  ledger.checks.that(
    5,
    doubtful || shown.length === known.length,
    () => `${shown.length} leases are live, and ${known.length} are known`,
  );
}
