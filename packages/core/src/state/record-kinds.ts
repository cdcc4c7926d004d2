/** Kinds of records, as docs/log-format.md numbers them. */
export const RECORD = {
  enqueue: 1,
  attempt: 2,
  ack: 3,
  retry: 4,
  dead: 5,
  release: 6,
  redrive: 7,
  cancel: 8,
  remove: 9,
  pause: 10,
  resume: 11,
  move: 12,
  forgotten: 13,
  runNow: 14,
  reprioritise: 15,
  expire: 16,
  forgottenDead: 17,
  replace: 18,
  remembered: 19,
  note: 20,
  withdraw: 21,
  transfer: 22,
} as const;

/** Why an attempt ended without an ack. */
export const CAUSE = { failed: 1, leaseExpired: 2, processEnded: 3 } as const;

export type Cause = (typeof CAUSE)[keyof typeof CAUSE];
