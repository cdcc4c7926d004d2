/*
 * Taken when this is loaded, since test runners put timers of their own in the place of these: a test that fakes them still has to get
 * what happens outside of the process.
 */
const { setImmediate, setTimeout } = globalThis;
const { hrtime } = process;

const PATIENT_TURNS = 50;

/** Lets promises go as far as they can and, where that has not helped for a while, the world outside answer. */
export function realTurn(turn = 0): Promise<void> {
  return new Promise((resolve) => {
    if (turn < PATIENT_TURNS) setImmediate(resolve);
    else setTimeout(resolve, 1);
  });
}

/** Since an arbitrary start. */
export function realMs(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
