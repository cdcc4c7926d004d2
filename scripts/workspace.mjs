// The two steps that everything else stands on, and what some tests need beside the workspace.
import { localCommand, pnpmCommand, readCommand, runCommand } from './command.mjs';

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

/**
 * Installs packages that only some tests need, in a folder that has a lockfile of its own: whoever builds, or runs the demo, does not wait
 * for them. None of their install scripts runs. As above, it works offline once they are there.
 *
 * @param {string} folder From the root.
 * @param {object} [options]
 * @param {number} [options.silenceMs] After how long a registry that says nothing, or nothing more, is given up.
 * @param {Readonly<Record<string, string>>} [options.env] More of pnpm's settings.
 * @returns {Promise<string | undefined>} What kept it from it.
 */
export async function installAside(folder, { silenceMs = 10_000, env = {} } = {}) {
  const options = ['--frozen-lockfile', '--trust-lockfile', '--prefer-offline', '--ignore-scripts'];
  // Such a registry is asked once more, and soon; pnpm alone would ask three times, and wait for minutes. It takes these settings from the
  // environment, and passes over options of the same names.
  const patience = {
    pnpm_config_fetch_timeout: `${silenceMs}`,
    pnpm_config_fetch_retries: '1',
    pnpm_config_fetch_retry_mintimeout: '1000',
  };
  const { code, output } = await readCommand({
    ...pnpmCommand(['--dir', folder, 'install', '--ignore-workspace', ...options]),
    env: { ...patience, ...env },
  });
  if (code === 0) return undefined;
  const complaint = output.split('\n').find((line) => /ERR|error/i.test(line)) ?? output.trim();
  return `its packages could not be installed in ${folder} (${complaint.trim()})`;
}
