const PAUSE_MS = 50;

/**
 * Asks again and again until there is an answer other than `undefined`, and gives that.
 * @throws Error naming `what` and the last failure, when there is none within `withinMs`.
 */
export async function eventually<Answer>(
  what: string,
  withinMs: number,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const { answer, failure } = await attempt(ask);
    if (answer !== undefined) return answer;
    if (performance.now() > endMs) throw new Error(`Not within ${withinMs} ms: ${what}`, { cause: failure });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function attempt<Answer>(
  ask: () => Promise<Answer | undefined>,
): Promise<{ answer?: Answer; failure?: unknown }> {
  try {
    const answer = await ask();
    return answer === undefined ? {} : { answer };
  } catch (failure) {
    return { failure };
  }
}
