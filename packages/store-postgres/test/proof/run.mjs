// npm run prove:postgres -- [--jobs 10000] [--workers 4]. Vite reads the TypeScript as the tests' runner does; the workers run dist.
import { runnerImport } from 'vite';

/** @type {{ module: { main(programArguments: readonly string[]): Promise<number> } }} */
const { module } = await runnerImport(`${import.meta.dirname}/main.ts`, {
  root: import.meta.dirname,
  configFile: false,
  logLevel: 'error',
});
process.exitCode = await module.main(process.argv.slice(2));
