// npm test: installs, builds and checks everything. The last line that it prints counts the tests.
//   node scripts/test.mjs                                     every step
//   node scripts/test.mjs install build unit                  these steps
//   node scripts/test.mjs unit packages/core -t 'torn tail'   one step, with arguments for its runner
import { chooseSteps, runSteps } from '../tools/test-run/plan.mjs';
import { failures, formatSummary } from '../tools/test-run/summary.mjs';
import { testSteps } from './test-steps.mjs';

const known = testSteps([]).map(({ name }) => name);
const { names, testArguments } = chooseSteps(process.argv.slice(2), known);
const chosen = testSteps(testArguments).filter(({ name }) => names.includes(name));

const results = await runSteps(chosen, Date.now);
process.exitCode = failures(results).length === 0 ? 0 : 1;
console.log(formatSummary(results));
