// The two steps that everything else stands on.
import { localCommand, pnpmCommand, runCommand } from './command.mjs';

/**
 * Installs exactly what the lockfile says. pnpm checks a lockfile against the registry when a package is added; the
 * committed one is trusted, because that check asks the registry about every package, and without network it hangs.
 * So once node_modules matches the lockfile, this step works offline.
 */
export function install() {
  return runCommand(pnpmCommand(['install', '--frozen-lockfile', '--trust-lockfile', '--prefer-offline']));
}

/**
 * Builds the packages that changed since their last build, each after those that it needs.
 *
 * @param {string[]} options
 */
export function build(...options) {
  const quietly = ['--continue=dependencies-successful', '--output-logs=errors-only'];
  return runCommand(localCommand('turbo', ['run', 'build', ...quietly, ...options]));
}
