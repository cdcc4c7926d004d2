/**
 * One end of a line between two threads (or two parts of one thread) that carries plain data in order: whatever structured
 * clone can copy. Nothing here knows what the messages are about.
 */
export interface Port {
  /** The buffers move instead of being copied: their views are empty here afterwards. */
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** Called for each message, in a later turn than its `post`. Set once, by the owner of this end. */
  listen(onMessage: (message: unknown) => void): void;
  /** The next message that has already arrived, taken before `listen` is told of it; `undefined` if there is none. */
  receive(): unknown;
  /** Messages that were posted before still arrive at the other end. */
  close(): void;
}
