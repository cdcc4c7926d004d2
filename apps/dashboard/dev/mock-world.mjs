// A made-up store for looking at the dashboard: jobs in every state, texts that try to break the page, leases that tick.
// Nothing here is a promise about the real store; the shapes are those of packages/contract/src/rest.ts.

const HOSTILE_NAMES = [
  '<img src=x onerror=alert(1)>',
  'evil\u202egpj.exe',
  'zero\u200bwidth\u0007bell',
  'send/../%2F?#+ ü漢',
  `long-${'x'.repeat(240)}`,
];

const ERRORS = [
  ['ConnectionError', 'connect ECONNREFUSED 10.0.4.17:587', 'mailer'],
  ['ReceiverError', 'The receiver answered 410: this endpoint is gone and will not come back', 'webhooks'],
  ['ValidationError', '"grace@" is not a valid email', 'receipts'],
  ['TimeoutError', 'The handler did not answer within 30,000 ms', 'exports'],
  ['LeaseExpired', 'The lease ended without an ack', 'engine'],
  ['ProcessEnded', 'The process that ran this attempt ended', 'engine'],
  ['</script><script>alert(1)</script>', '\u202emoc.elpmaxe\u2066 \u0000 broken\nsecond line', 'evil'],
];

const QUEUES = [
  { name: 'receipts', share: 0.42, names: ['send', 'resend'] },
  { name: 'webhooks', share: 0.3, names: ['deliver', 'deliver-batch'] },
  { name: 'exports', share: 0.12, names: ['render-pdf'] },
  { name: 'thumbnails', share: 0.14, names: ['resize', 'crop'] },
  { name: 'évil/queue ?#%+\u202e<b>', share: 0.02, names: HOSTILE_NAMES },
];

const DEAD = 1_204;
const STEP_MS = 10_000;
const DAY_MS = 86_400_000;

export class MockWorld {
  #seed = 20_261_129;
  #nextId = 60_000_000;
  jobs = [];
  expiries = [];
  throughput = new Map();
  paused = new Map();
  startedAtMs;

  constructor(nowMs) {
    this.startedAtMs = nowMs - 5_400_000;
    for (const queue of QUEUES) this.throughput.set(queue.name, this.#pastThroughput(queue));
    const add = (count, state) => {
      for (let index = 0; index < count; index++) this.#add(nowMs, state, index);
    };
    add(940, 'completed');
    add(DEAD, 'dead');
    add(36, 'retrying');
    add(214, 'scheduled');
    add(117, 'ready');
    add(23, 'leased');
    add(9, 'cancelled');
    this.paused.set('exports', {
      sinceMs: nowMs - 1_260_000,
      untilMs: nowMs + 2_340_000,
      actor: 'grace@example.org',
      reason: 'The print shop is closed until noon',
    });
    this.jobs.sort((a, b) => b.row.enqueuedAtMs - a.row.enqueuedAtMs);
    for (let index = 0; index < 14; index++) this.#addExpiry(nowMs, index);
  }

  chance() {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#seed / 2 ** 32;
  }

  find(id) {
    return this.jobs.find((job) => job.row.id === id);
  }

  redrive(jobs, actor, reason, nowMs) {
    for (const job of jobs) {
      job.row = { ...job.row, state: 'ready', attempts: 0, updatedAtMs: nowMs, runAtMs: nowMs };
      delete job.row.lastError;
      job.acts.push({ act: 'redrive', atMs: nowMs, actor, ...(reason === undefined ? {} : { reason }) });
    }
  }

  clone(entry, payload, nowMs) {
    this.#nextId += 1;
    const id = `k7vqm-${this.#nextId.toString(36)}`;
    const text = payload ?? entry.payload;
    this.jobs.unshift({
      ...entry,
      row: {
        ...entry.row,
        id,
        state: 'ready',
        attempts: 0,
        enqueuedAtMs: nowMs,
        runAtMs: nowMs,
        updatedAtMs: nowMs,
        payloadBytes: Buffer.byteLength(text),
      },
      payload: text,
      attemptLog: [],
      acts: [{ act: 'clone', atMs: nowMs, actor: 'grace@example.org' }],
      extras: { clonedFrom: entry.row.id },
    });
    return id;
  }

  /** What was done before anybody looked. */
  pastActs(nowMs) {
    const [one] = this.jobs;
    const many = (done, skipped) => ({
      matched: done + skipped,
      done,
      skipped: skipped === 0 ? {} : { ready: skipped },
    });
    return [
      {
        atMs: nowMs - 86_400_000,
        actor: 'linus@example.org',
        act: 'remove',
        target: { filter: { state: 'completed', queue: 'exports' } },
        reason: 'Test run of Friday',
        outcome: many(412, 0),
      },
      {
        atMs: nowMs - 7_300_000,
        actor: 'grace@example.org',
        act: 'redrive',
        target: { filter: { state: 'dead', errorClass: 'ConnectionError' } },
        reason: 'SMTP restored after the outage',
        outcome: many(318, 3),
      },
      {
        atMs: nowMs - 3_900_000,
        actor: 'ada@example.org',
        act: 'cancel',
        target: { ids: [one.row.id] },
        reason: 'Ordered twice by mistake',
        outcome: many(1, 0),
      },
      {
        atMs: nowMs - 1_260_000,
        actor: 'grace@example.org',
        act: 'pause',
        target: { queue: 'exports' },
        reason: 'The print shop is closed until noon',
      },
    ];
  }

  /** Lets leases be extended, end or be settled, and new jobs come. */
  tick(nowMs) {
    for (const job of this.jobs) {
      if (job.row.state !== 'leased' || job.stuck) continue;
      if (nowMs > job.endsAtMs - 20_000) {
        job.endsAtMs = nowMs + job.row.lease.leaseMs;
        job.extensions += 1;
      }
      if (this.chance() < 0.02) this.#complete(job, nowMs);
    }
    if (this.chance() < 0.5) {
      this.#add(nowMs, 'leased', 999);
      this.jobs.unshift(this.jobs.pop());
      const [job] = this.jobs;
      job.row.enqueuedAtMs = nowMs;
      job.row.lease.leasedAtMs = nowMs;
      job.endsAtMs = nowMs + 30_000;
    }
  }

  #complete(job, nowMs) {
    job.row = { ...job.row, state: 'completed', updatedAtMs: nowMs };
    job.attemptLog[job.attemptLog.length - 1] = { ...job.attemptLog.at(-1), endedAtMs: nowMs, outcome: 'completed' };
    delete job.row.lease;
  }

  #add(nowMs, kind, index) {
    const queue = this.#pickQueue();
    const error = ERRORS[Math.floor(this.chance() ** 2 * ERRORS.length)];
    const ageMs = 4_000 + this.chance() ** 3 * (kind === 'ready' || kind === 'leased' ? 90_000 : 5_000_000);
    const maxAttempts = this.chance() < 0.05 ? null : 5;
    const attempts = { completed: 1, dead: maxAttempts ?? 9, retrying: 2, leased: 1 }[kind] ?? 0;
    const enqueuedAtMs = nowMs - ageMs;
    this.#nextId += 1 + Math.floor(this.chance() * 40);
    const row = {
      id: `k7vqm-${this.#nextId.toString(36)}`,
      queue: queue.name,
      name: queue.names[Math.floor(this.chance() * queue.names.length)],
      state: kind === 'retrying' ? 'scheduled' : kind,
      priority: this.chance() < 0.9 ? 0 : 10,
      attempts,
      maxAttempts,
      enqueuedAtMs,
      runAtMs: kind === 'scheduled' || kind === 'retrying' ? nowMs + 3_000 + this.chance() * 900_000 : enqueuedAtMs,
      updatedAtMs: kind === 'dead' || kind === 'completed' ? enqueuedAtMs + ageMs * this.chance() : enqueuedAtMs,
      payloadBytes: 0,
      ...(kind === 'scheduled' || kind === 'ready' ? this.#mayExpire(nowMs, index) : {}),
    };
    if (['completed', 'dead', 'cancelled'].includes(kind))
      row.keptUntilMs = row.updatedAtMs + (kind === 'dead' ? 14 : 1) * DAY_MS;
    const job = { row, acts: [], payload: payloadOf(index, row), attemptLog: [], error, extensions: 0, stuck: false };
    row.payloadBytes = Buffer.byteLength(job.payload);
    if (kind === 'dead' || kind === 'retrying') row.lastError = { class: error[0], message: error[1].split('\n')[0] };
    job.extras = extrasOf(kind, index, this.jobs.at(-1)?.row.id);
    if (kind === 'cancelled') this.#addCancel(job, index);
    this.#addAttempts(job, kind, nowMs);
    if (kind === 'leased') this.#addLease(job, nowMs, index);
    if (kind === 'dead' && index === 3) this.#addHistory(job);
    this.jobs.push(job);
  }

  #addAttempts(job, kind, nowMs) {
    const { row } = job;
    let atMs = row.enqueuedAtMs;
    for (let attempt = 1; attempt <= row.attempts; attempt++) {
      const last = attempt === row.attempts;
      const running = kind === 'leased' && last;
      const failed = kind === 'dead' || kind === 'retrying' || !last;
      const startedAtMs = Math.min(atMs, nowMs);
      const endedAtMs = Math.min(startedAtMs + 40 + this.chance() * 3_000, nowMs);
      job.attemptLog.push({
        attempt,
        worker: worker(attempt),
        startedAtMs,
        ...(running ? {} : { endedAtMs }),
        outcome: running ? 'running' : failed ? outcomeOf(job.error[0]) : 'completed',
        ...(failed && !running ? { error: jobError(job.error) } : {}),
        ...(running ? notesOf(startedAtMs, nowMs) : {}),
      });
      atMs = endedAtMs + 1_000 * 2 ** attempt * this.chance();
    }
  }

  #addLease(job, nowMs, index) {
    const leaseMs = 30_000;
    const heldMs = this.chance() * 140_000;
    job.stuck = index < 3;
    job.endsAtMs = job.stuck ? nowMs - 4_000 + index * 9_000 : nowMs + 4_000 + this.chance() * 26_000;
    job.extensions = Math.floor(heldMs / 10_000);
    job.token = `00002a.${this.#nextId.toString(16).padStart(8, '0')}`;
    job.row.lease = { worker: worker(index), token: job.token, leasedAtMs: nowMs - heldMs, leaseMs, remainingMs: 0 };
  }

  #mayExpire(nowMs, index) {
    return index % 6 === 0 ? { expiresAtMs: nowMs + 60_000 + index * 40_000 } : {};
  }

  #addCancel(job, index) {
    job.extras.cancelCause = ['operator', 'expired', 'handler'][index % 3];
    if (job.extras.cancelCause !== 'operator') return;
    job.acts.push({
      act: 'cancel',
      atMs: job.row.updatedAtMs,
      actor: 'linus@example.org',
      reason: 'Ordered twice by mistake',
    });
  }

  #addHistory(job) {
    const atMs = job.attemptLog[2].endedAtMs + 1;
    job.acts.push({ act: 'redrive', atMs, actor: 'grace@example.org', reason: 'SMTP restored after the outage' });
  }

  #addExpiry(nowMs, index) {
    const job = this.jobs[index * 31];
    this.expiries.push({
      id: job.row.id,
      queue: job.row.queue,
      name: job.row.name,
      worker: worker(index),
      attempt: 1 + (index % 5),
      atMs: nowMs - 95_000 - index * 340_000,
      lateMs: 2 + this.chance() * 60,
      // biome-ignore lint/suspicious/noThenProperty: the word of the contract.
      then: index % 5 === 4 ? 'dead' : 'scheduled',
    });
  }

  #pickQueue() {
    let left = this.chance();
    for (const queue of QUEUES) {
      left -= queue.share;
      if (left < 0) return queue;
    }
    return QUEUES[0];
  }

  #pastThroughput({ share }) {
    const series = (level) =>
      Array.from({ length: 60 }, (_, index) =>
        Math.max(0, Math.round(share * level * (1 + 0.5 * Math.sin(index / 7) + 0.5 * this.chance()))),
      );
    return { stepMs: STEP_MS, enqueued: series(480), completed: series(460), failed: series(12) };
  }
}

/** What only some jobs have, and the detail shows. */
function extrasOf(kind, index, formerId) {
  return {
    ...(index % 2 === 0 ? { timeoutMs: 45_000 } : {}),
    ...(index % 3 === 0
      ? {
          headers: {
            traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
            'x-tenant': 'tea-house \u202e<i>',
          },
        }
      : {}),
    ...(index % 4 === 0 ? { dedupeKey: `order-${17 + index}` } : {}),
    ...(kind === 'ready' && index % 5 === 0 && formerId !== undefined ? { clonedFrom: formerId } : {}),
  };
}

function worker(index) {
  return `shop-${['a', 'b', 'c'][index % 3]}.internal:${4100 + (index % 7)}`;
}

function outcomeOf(errorClass) {
  return { LeaseExpired: 'leaseExpired', ProcessEnded: 'processEnded' }[errorClass] ?? 'failed';
}

function jobError([errorClass, message, file]) {
  if (file === 'engine') return { class: errorClass, message };
  const frames = [
    `deliver (/srv/shop/dist/${file}.js:88:15)`,
    'async JobRun.#handle (/srv/shop/node_modules/@holdfast/core/dist/queue/job-run.js:41:7)',
    'async Worker.#run (/srv/shop/node_modules/@holdfast/core/dist/queue/worker.js:112:9)',
  ];
  // More than the page shows without scrolling.
  if (errorClass === 'TimeoutError') {
    for (let depth = 0; depth < 20; depth++)
      frames.splice(1, 0, `Layout.measure (/srv/shop/dist/layout.js:${40 + depth}:11)`);
  }
  return {
    class: errorClass,
    message,
    stack: `${errorClass}: ${message}\n${frames.map((frame) => `    at ${frame}`).join('\n')}`,
  };
}

function payloadOf(index, row) {
  if (index === 0) return 'not json at all: \u202e<script>alert(1)</script>';
  if (index === 1)
    return JSON.stringify({ rows: Array.from({ length: 2_000 }, (_, at) => ({ at, sku: `SKU-${at}` })) });
  return `{"orderId":1970670598291982290,"customer":{"name":"Grace <b>Hopper</b>","email":"grace@example.org","vip":true},"total":-0,"rate":1.10,"huge":1e400,"items":[{"sku":"TEA-01","quantity":2,"unitPriceCents":1250},{"sku":"CUP-07","quantity":1,"unitPriceCents":899}],"note":"line one\\nline two \\u202e","empty":{},"tags":[],"orderId":"twice","queue":${JSON.stringify(row.queue)},"coupon":null}`;
}

/** What a handler told that is at work. */
function notesOf(startedAtMs, nowMs) {
  const atMs = Math.round((startedAtMs + nowMs) / 2);
  return {
    progress: '0.42',
    lines: [
      { atMs: Math.round(startedAtMs), text: 'template rendered, 3 attachments' },
      ...Array.from({ length: 18 }, (_, row) => ({ atMs, text: `row ${812 + row} was there already` })),
    ],
    droppedLines: 12,
  };
}
