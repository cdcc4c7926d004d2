// npm test: installs, builds and checks everything. The last line that it prints counts the tests.
//   node scripts/test.mjs                                     every step
//   node scripts/test.mjs install build unit                  these steps; `servers` before tests finds or starts their databases
//   node scripts/test.mjs unit packages/core -t 'torn tail'   one step, with arguments for its runner
import { chooseSteps, runSteps } from '../tools/test-run/plan.mjs';
import { failures, formatSummary } from '../tools/test-run/summary.mjs';
import { TestServers } from '../tools/test-run/test-servers.mjs';
import { testSteps } from './test-steps.mjs';

const servers = new TestServers();
const known = testSteps([], servers).map(({ name }) => name);
const { names, testArguments } = chooseSteps(process.argv.slice(2), known);
const chosen = testSteps(testArguments, servers).filter(({ name }) => names.includes(name));

const results = await runSteps(chosen, Date.now).finally(() => servers.close());
process.exitCode = failures(results).length === 0 ? 0 : 1;
console.log(formatSummary(results));
