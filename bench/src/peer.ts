import type { Order } from './order.js';

export const PEERS = ['holdfast', 'bare', 'sqlite'] as const;

/** Holdfast, what no store can pass, and the hardest of the other queues. */
export type PeerName = (typeof PEERS)[number];

/** What each of them can do. A call resolves when its jobs would survive a power cut. */
export interface Peer {
  enqueue(order: Order): Promise<unknown>;
  enqueueMany(orders: readonly Order[]): Promise<unknown>;
  /** Handles the jobs there are and those that come, at most `concurrency` at a time. */
  work(concurrency: number, handler: (order: Order) => Promise<void>): PeerWorker;
  close(): Promise<void>;
}

export interface PeerWorker {
  /** Resolves when the store knows the end of each job that was handled. */
  close(): Promise<void>;
}

/** Opens a peer on an empty directory. */
export async function openPeer(name: PeerName, directory: string): Promise<Peer> {
  switch (name) {
    case 'holdfast':
      return (await import('./peers/holdfast.js')).openHoldfast(directory);
    case 'bare':
      return (await import('./peers/bare.js')).openBare(directory);
    case 'sqlite':
      return (await import('./peers/sqlite.js')).openSqlite(directory);
  }
}
