// npm run torture -- <rig> [options]. The rigs are TypeScript: Vite reads them as the tests' runner does. What they torture is dist.
import { runnerImport } from 'vite';

/** @type {{ module: { main(programArguments: readonly string[]): Promise<number> } }} */
const { module } = await runnerImport(`${import.meta.dirname}/main.ts`, {
  root: import.meta.dirname,
  configFile: false,
  logLevel: 'error',
});
process.exitCode = await module.main(process.argv.slice(2));
