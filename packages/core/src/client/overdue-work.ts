/**
 * Calls once every timer that is overdue in this thread has run, with what followed from it: the timer set here is the latest
 * of those due, and `setImmediate` comes after all of them.
 */
export function afterOverdueWork(call: () => void): void {
  setTimeout(() => setImmediate(call), 0);
}
