import type { CatchingTest, Mutant } from './mutant.js';

const ENGINE = 'packages/core/src/engine';
const STATE = 'packages/core/src/state';

const sweep = (title: string): CatchingTest => ({ file: 'packages/core/test/model/compaction-sweep.test.ts', title });
const unseen = sweep('changes nothing that can be seen, before and after an open, and frees the disk');
const keeps = (title: string): CatchingTest => ({ file: 'packages/core/test/model/compaction-keeps.test.ts', title });
const retained = (title: string): CatchingTest => ({ file: `${ENGINE}/retained-jobs.test.ts`, title });
const dedupe = (title: string): CatchingTest => ({ file: `${ENGINE}/dedupe.test.ts`, title });
const requests = (title: string): CatchingTest => ({ file: `${ENGINE}/requests.test.ts`, title });
const payloads = (title: string): CatchingTest => ({ file: `${ENGINE}/payloads.test.ts`, title });

/** What compaction, replay and reading make of what was kept. */
export const KEEPING_MUTANTS: readonly Mutant[] = [
  {
    name: 'move-drops-lease',
    mistake: 'A leased job that is written again has no lease any more.',
    file: `${ENGINE}/job-mover.ts`,
    text: '? this.#lease(columns.position[slot]!) : NO_LEASE',
    replacement: '? { ...this.#lease(columns.position[slot]!), ...NO_LEASE } : NO_LEASE',
    caughtBy: keeps('keeps the lease of a job that is written again, with who has it'),
  },
  {
    name: 'move-drops-attempts',
    mistake: 'A job that is written again has all of its attempts before it.',
    file: `${ENGINE}/job-mover.ts`,
    text: 'attempts: columns.attemptsOf(slot),',
    replacement: 'attempts: 0,',
    caughtBy: unseen,
  },
  {
    name: 'move-drops-history',
    mistake: 'A job that is written again has no history.',
    file: `${ENGINE}/job-mover.ts`,
    text: 'history: history.entries',
    replacement: 'history: history.entries.slice(0, 0)',
    caughtBy: unseen,
  },
  {
    name: 'move-drops-expiry',
    mistake: 'A job that is written again may wait for ever.',
    file: `${ENGINE}/job-mover.ts`,
    text: 'mayExpire: table.expiries.has(slot),',
    replacement: 'mayExpire: false,',
    caughtBy: unseen,
  },
  {
    name: 'move-drops-priority',
    mistake: 'A job that is written again has lost its priority.',
    file: `${ENGINE}/job-mover.ts`,
    text: 'priority: columns.priority[slot]!,',
    replacement: 'priority: 0,',
    caughtBy: unseen,
  },
  {
    name: 'move-resurrects',
    mistake: 'A completed job that was forgotten comes back with the record that it was written again in.',
    file: `${STATE}/job-table.ts`,
    text: 'if (ring?.isPast(endedOrder)) {',
    replacement: 'if (ring === null) {',
    caughtBy: {
      file: `${STATE}/job-table.test.ts`,
      title: 'does not take back a completed job that is older than those it remembers',
    },
  },
  {
    name: 'end-order-lost',
    mistake: 'Which completed job is the oldest is lost when it is written again.',
    file: `${ENGINE}/job-mover.ts`,
    text: 'endedOrder: table.endedOrderOf(slot),',
    replacement: 'endedOrder: 0,',
    caughtBy: keeps('keeps which ended job is the oldest when they are written again'),
  },
  {
    name: 'retired-before-durable',
    mistake: 'A segment is retired before the jobs in it are durable elsewhere.',
    file: `${ENGINE}/compaction.ts`,
    text: 'if (first !== undefined && log.durableSeq >= first.seq)',
    replacement: 'if (first !== undefined)',
    caughtBy: sweep('loses nothing and brings nothing back when it ends at any step'),
  },
  {
    name: 'pause-retired',
    mistake: 'A pause is forgotten with the segment that its record is in.',
    file: `${ENGINE}/standing-facts.ts`,
    text: 'if (Math.floor(fact.location / WORD) !== segmentNumber) continue;',
    replacement: 'if (Math.floor(fact.location / WORD) !== 0) continue;',
    caughtBy: unseen,
  },
  {
    name: 'forgotten-remembered',
    mistake: 'A segment goes without a word about the ended jobs that are forgotten.',
    file: `${ENGINE}/standing-facts.ts`,
    text: 'if (completedBelow === 0 && cancelledBelow === 0) continue;',
    replacement: 'if (completedBelow >= 0 && cancelledBelow >= 0) continue;',
    caughtBy: keeps('brings back no ended job that made room for one whose records are gone'),
  },
  {
    name: 'compaction-fills-the-disk',
    mistake: 'Compaction begins without a look at the room that it needs.',
    file: `${ENGINE}/compaction.ts`,
    text: 'room < 2 * table.homes.of(segmentNumber)',
    replacement: 'room < 0 * table.homes.of(segmentNumber)',
    caughtBy: keeps('waits while there is no room for what it has to write, says so, and goes on when there is'),
  },
  {
    name: 'order-lost-at-restart',
    mistake: 'After a restart under a wall clock that was set back, new jobs come before old ones.',
    file: `${ENGINE}/replay.ts`,
    text: 'this.#table.ranks.raise(rankFloor);',
    replacement: 'void rankFloor;',
    caughtBy: keeps(
      'keeps the order of jobs after their first records are gone, also when the wall clock is set back then',
    ),
  },
  {
    name: 'damage-hidden',
    mistake: 'A record that contradicts what is known of its job is passed over.',
    file: `${ENGINE}/replay.ts`,
    text: 'if (agrees) return;',
    replacement: 'if (agrees || move.state < STATES) return;',
    caughtBy: {
      file: `${ENGINE}/replay.test.ts`,
      title: 'refuses a MOVE that says of a ready job that it',
    },
  },
  {
    name: 'aged-but-kept',
    mistake: 'An idle store forgets nothing, however old it is.',
    file: `${ENGINE}/wall-waits.ts`,
    text: 'waitUntil(ended.dues.nextMs, FORGET_WAIT_MS_MAX, clock),',
    replacement: 'waitUntil(ended.dues.nextMs + Number.POSITIVE_INFINITY, FORGET_WAIT_MS_MAX, clock),',
    caughtBy: retained('are forgotten at their age by an idle store, which then sleeps again'),
  },
  {
    name: 'dead-rise-again',
    mistake: 'That dead jobs are forgotten is not written, so that they are back after the next open.',
    file: `${ENGINE}/retained-jobs.ts`,
    text: 'encodeForgottenDead(commits.reserve(RECORD.forgottenDead, bodyBytes), { deadBelow: below }, bytes);',
    replacement: 'void encodeForgottenDead;',
    caughtBy: retained('stay forgotten when the store is opened with wider bounds (killed)'),
  },
  {
    name: 'request-done-again',
    mistake: 'An enqueue that is repeated under its request id makes its jobs again.',
    file: `${ENGINE}/enqueues.ts`,
    text: 'if (request !== undefined && this.#isRepeated(request, nowMs, done)) return;',
    replacement: '',
    caughtBy: requests('is answered when the first one is durable, and not before'),
  },
  {
    name: 'repeat-answered-early',
    mistake: 'A repeated enqueue is answered although the first one is not durable.',
    file: `${ENGINE}/enqueues.ts`,
    text: 'commits.answerAllDurable(new AnsweredCall(known.answer, done));',
    replacement: 'commits.answerWritten(new AnsweredCall(known.answer, done));',
    caughtBy: requests('is answered when the first one is durable, and not before'),
  },
  {
    name: 'other-jobs-swallowed',
    mistake: 'An enqueue of other jobs under a request id that was used is answered as the first one.',
    file: `${ENGINE}/enqueues.ts`,
    text: 'if (known.fingerprint === fingerprint) {',
    replacement: "if (known.fingerprint !== '' || fingerprint === '') {",
    caughtBy: requests('is refused with other jobs, also while the first is on its way'),
  },
  {
    name: 'request-retired',
    mistake: 'A request id is forgotten with the segment that its record is in.',
    file: `${ENGINE}/standing-facts.ts`,
    text: 'if (requests.length > 0) {',
    replacement: 'if (requests.length < 0) {',
    caughtBy: requests('is known when every segment that knew it was retired'),
  },
  {
    name: 'duplicate-answered-early',
    mistake: 'A duplicate is answered although the job that it names is not durable.',
    file: `${ENGINE}/enqueues.ts`,
    text: 'commits.answerAllDurable(new EnqueueCall(this, clock.monotonicMs(), answer, created, bytes, done));',
    replacement:
      'const call = new EnqueueCall(this, clock.monotonicMs(), answer, created, bytes, done); if (created > 0) commits.answerAllDurable(call); else commits.answerWritten(call);',
    caughtBy: dedupe('is answered when the job that it names is durable, and not before'),
  },
  {
    name: 'overdue-takes-key',
    mistake: 'A job that should have expired takes its key, and is cancelled after it was named to a duplicate.',
    file: `${STATE}/key-table.ts`,
    text: 'const live = entry.live.filter(({ slot }) => !isOver(slot));',
    replacement: 'const { live } = entry;',
    caughtBy: dedupe('is none of a job that should have been cancelled for its age, though nobody has done it yet'),
  },
  {
    name: 'replaced-expiry-misplaced',
    mistake: 'A job that is replaced before it is durable takes the expiry of another one away.',
    file: `${STATE}/job-table.ts`,
    text: 'this.expiries.takeBack(slot);',
    replacement: 'this.expiries.drop(slot);',
    caughtBy: dedupe('takes the expiry of its replacement, and no other job loses its own'),
  },
  {
    name: 'window-retired',
    mistake: 'The window of a forgotten job ends with the segment that its record is in.',
    file: `${ENGINE}/standing-facts.ts`,
    text: 'if (windows.length > 0) {',
    replacement: 'if (windows.length < 0) {',
    caughtBy: dedupe('holds though the job is forgotten and its segments are retired'),
  },
  {
    name: 'cursor-repeats',
    mistake: 'The last job of a page is the first one of the next.',
    file: `${STATE}/job-scan.ts`,
    text: 'nextBelowId = columns.id[slots[limit - 1]!]!;',
    replacement: 'nextBelowId = columns.id[slots[limit - 1]!]! + 1;',
    caughtBy: {
      file: `${ENGINE}/reads.test.ts`,
      title: 'pages newest first with an opaque cursor and an exact total',
    },
  },
  {
    name: 'payload-of-another',
    mistake: 'The payload of another job is handed out where an index is wrong.',
    file: `${ENGINE}/payloads.ts`,
    text: "if (readU64(body.view, body.offset) !== id) throw new RecordError('belongs to another job');",
    replacement: 'void RecordError; void readU64; void id;',
    caughtBy: payloads('refuses a record that belongs to another job'),
  },
  {
    name: 'payload-shared',
    mistake: 'A payload changes in memory when its caller uses the buffer again.',
    file: `${ENGINE}/payloads.ts`,
    text: "typeof payload === 'string' ? payload : payload.slice()",
    replacement: 'payload',
    caughtBy: payloads('keeps a copy of bytes'),
  },
  {
    name: 'forgotten-payload-kept',
    mistake: 'The payloads of acked jobs stay in memory.',
    file: `${ENGINE}/payloads.ts`,
    text: 'this.#bytes -= this.#sizes[place]!;',
    replacement: '',
    caughtBy: payloads('gives memory back for what is dropped, whatever the order'),
  },
];
