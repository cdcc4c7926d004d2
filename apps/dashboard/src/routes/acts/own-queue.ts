const OWN_PREFIX = 'holdfast.';

/** Whether Holdfast keeps something of its own there. Nobody acts on it: the server refuses. */
export function isOwnQueue(queue: string): boolean {
  return queue.startsWith(OWN_PREFIX);
}
