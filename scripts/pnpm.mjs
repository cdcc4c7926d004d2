// Runs the pnpm that package.json pins, on a machine that has nothing but Node and npm:
//   node scripts/pnpm.mjs install
//   node scripts/pnpm.mjs --filter @holdfast/core add some-package
import { pnpmCommand, runCommand } from './command.mjs';

process.exitCode = await runCommand(pnpmCommand(process.argv.slice(2)));
