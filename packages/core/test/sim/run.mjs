// npm run simulate -- [options]. The simulator and the engine are TypeScript: Vite reads them as the tests' runner does.
import { runnerImport } from 'vite';

/** @type {{ module: { main(programArguments: readonly string[]): number } }} */
const { module } = await runnerImport(`${import.meta.dirname}/main.ts`, {
  root: import.meta.dirname,
  configFile: false,
  logLevel: 'error',
});
process.exitCode = module.main(process.argv.slice(2));
