// Which steps run, and what becomes of those behind a failed one.

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} needs Steps without which this one would only repeat their failure.
 * @property {readonly string[]} [after] Steps that this one waits for, however they end.
 * @property {boolean} [isBeside] The steps behind this one need not wait for it: it mostly waits itself, or fills what they leave of the processors.
 * @property {(surroundings: Surroundings) => Promise<StepOutcome>} run
 *
 * @typedef {object} Surroundings
 * @property {boolean} isBeside Whether other steps run meanwhile, with output of their own.
 *
 * @typedef {object} StepOutcome
 * @property {boolean} passed
 * @property {string} [note] What the table should say about it.
 * @property {import('./test-results.mjs').TestResult[]} [tests] The tests that it ran, where it runs tests.
 *
 * @typedef {object} StepResult
 * @property {string} name
 * @property {'passed' | 'failed' | 'not run'} status
 * @property {number} seconds
 * @property {string} [note]
 * @property {import('./test-results.mjs').TestResult[]} [tests]
 */

/**
 * Runs the steps in order, those that say so beside the ones behind them. A step whose need failed is not run and says so; every other step
 * runs, whatever failed before it, so that one run shows all there is to mend.
 *
 * @param {readonly Step[]} steps
 * @param {() => number} nowMs
 * @returns {Promise<StepResult[]>} In the order of the steps.
 */
export async function runSteps(steps, nowMs) {
  /** @type {Map<string, Promise<StepResult>>} */
  const begun = new Map();
  for (const step of steps) {
    const isBeside = step.isBeside === true && step !== steps.at(-1);
    const result = finish(step, { isBeside }, begun, nowMs);
    begun.set(step.name, result);
    if (!isBeside) await result;
  }
  return Promise.all(begun.values());
}

/**
 * @param {Step} step
 * @param {Surroundings} surroundings
 * @param {ReadonlyMap<string, Promise<StepResult>>} begun
 * @param {() => number} nowMs
 * @returns {Promise<StepResult>}
 */
async function finish(step, surroundings, begun, nowMs) {
  const needed = await Promise.all(step.needs.map((name) => begun.get(name)));
  const blocker = needed.find((result) => result !== undefined && result.status !== 'passed');
  if (blocker !== undefined) {
    const cause = blocker.status === 'failed' ? `${blocker.name} failed` : (blocker.note ?? blocker.name);
    return { name: step.name, status: 'not run', seconds: 0, note: cause };
  }
  await Promise.all((step.after ?? []).map((name) => begun.get(name)));
  const startMs = nowMs();
  const { passed, ...outcome } = await runStep(step, surroundings);
  const seconds = (nowMs() - startMs) / 1000;
  return { name: step.name, status: passed ? 'passed' : 'failed', seconds, ...outcome };
}

/**
 * @param {Step} step
 * @param {Surroundings} surroundings
 * @returns {Promise<StepOutcome>}
 */
async function runStep(step, surroundings) {
  try {
    return await step.run(surroundings);
  } catch (error) {
    return { passed: false, note: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Reads a command line of step names, followed by arguments for the steps that run tests. No names means all steps.
 *
 * @param {readonly string[]} words
 * @param {readonly string[]} known
 */
export function chooseSteps(words, known) {
  const firstArgument = words.findIndex((word) => !known.includes(word));
  const names = firstArgument === -1 ? words : words.slice(0, firstArgument);
  return { names: names.length === 0 ? known : names, testArguments: words.slice(names.length) };
}
