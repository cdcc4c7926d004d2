// npm run mutants [-- name…]. The mutants are TypeScript: Vite reads them as the tests' runner does.
import { runnerImport } from 'vite';

/** @type {{ module: { main(names: readonly string[]): Promise<number> } }} */
const { module } = await runnerImport(`${import.meta.dirname}/main.ts`, {
  root: import.meta.dirname,
  configFile: false,
  logLevel: 'error',
});
process.exitCode = await module.main(process.argv.slice(2));
