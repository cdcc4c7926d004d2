import type { Metrics } from './metrics.js';
import type { Peer, PeerName } from './peer.js';

/** The runs of one round, in which every peer had its turn. */
export type Round = Readonly<Partial<Record<PeerName, Metrics>>>;

/** What Holdfast wants to reach. Judged by the median over the rounds. */
export interface Goal {
  readonly title: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** `undefined` where a peer is missing. */
  readonly figure: (round: Round) => number | undefined;
}

export interface BenchRun {
  /** An empty directory of this run's own. */
  readonly directory: string;
  readonly jobs: number;
  /** Opens the peer whose turn it is. The case closes it. */
  open(): Promise<Peer>;
}

export interface BenchCase {
  readonly name: string;
  /** What is measured, in the words of the results page. */
  readonly title: string;
  /** Those who take part. */
  readonly peers: readonly PeerName[];
  /** Jobs of a full run. */
  readonly jobs: number;
  /** Every fsync takes this much longer (shim/slow-sync.c). */
  readonly syncDelayMs?: number;
  readonly goals: readonly Goal[];
  run(run: BenchRun): Promise<Metrics>;
}
