// The two steps that everything else stands on.
import { localCommand, pnpmCommand, runCommand } from './command.mjs';

/**
 * Installs exactly what the lockfile says. Once node_modules matches it this takes no network, and from a filled store
 * neither does a fresh install.
 */
export function install() {
  return runCommand(pnpmCommand(['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only']));
}

/** Builds the packages that changed since their last build, each after those that it needs. */
export function build() {
  return runCommand(
    localCommand('turbo', ['run', 'build', '--continue=dependencies-successful', '--output-logs=errors-only']),
  );
}
