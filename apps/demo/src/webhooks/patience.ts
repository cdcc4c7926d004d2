/**
 * Runs `work` with a signal that is aborted when `signal` is, and after `patienceMs` with a TimeoutError.
 *
 * AbortSignal.any([signal, AbortSignal.timeout(…)]) says the same, but not dependably: in Node 20 nothing holds on to the
 * timeout inside of it, so a garbage collection at the wrong moment removes it and the call waits for ever
 * (https://github.com/nodejs/node/pull/57867).
 */
export async function withPatience<Result>(
  patienceMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const pass = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(timeoutError(patienceMs)), patienceMs);
  signal.addEventListener('abort', pass, { once: true });
  if (signal.aborted) pass();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', pass);
  }
}

function timeoutError(patienceMs: number): DOMException {
  return new DOMException(`The other side did not answer within ${patienceMs} ms`, 'TimeoutError');
}
