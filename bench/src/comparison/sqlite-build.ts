import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'better-sqlite3';
const bench = fileURLToPath(new URL('../../', import.meta.url));
const LOADS = 'new (require(process.argv[1]))(":memory:").close()';

export interface SqliteBuild {
  /** A folder that the Node of the runs can require. */
  readonly place?: string;
  readonly reason?: string;
}

/**
 * better-sqlite3 is a native addon, so each major version of Node needs one of its own: that of the workspace if it is built and fits, else one in a folder
 * beside it, installed by npm the first time. pnpm is not let build it, because nothing but this comparison needs it.
 */
export function sqliteFor(node: string): SqliteBuild {
  const installed = join(bench, 'node_modules', PACKAGE);
  if (loads(node, installed)) return { place: installed };
  const { optionalDependencies } = JSON.parse(readFileSync(join(bench, 'package.json'), 'utf8'));
  const version: string = optionalDependencies[PACKAGE];
  const abi = execFileSync(node, ['-p', 'process.versions.modules'], { encoding: 'utf8' }).trim();
  const prefix = join(bench, 'node_modules', '.cache', `${PACKAGE}-${version}-abi${abi}`);
  const place = join(prefix, 'node_modules', PACKAGE);
  if (loads(node, place)) return { place };
  try {
    install(node, prefix, `${PACKAGE}@${version}`);
  } catch (error) {
    return { reason: `${PACKAGE} ${version} could not be built for this Node: ${lastLine(error)}` };
  }
  return loads(node, place) ? { place } : { reason: `${PACKAGE} ${version} does not load in this Node.` };
}

function loads(node: string, place: string): boolean {
  try {
    execFileSync(node, ['-e', LOADS, place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** npm runs the scripts of the package with the first node in PATH; its headers are beside it in most installations. */
function install(node: string, prefix: string, what: string): void {
  process.stderr.write(`${what} is built for ${node}, once\n`);
  mkdirSync(prefix, { recursive: true });
  const root = dirname(dirname(node));
  const headers = existsSync(join(root, 'include/node/node.h')) ? { npm_config_nodedir: root } : {};
  const env = { ...process.env, ...headers, PATH: [dirname(node), process.env.PATH].join(delimiter) };
  execFileSync('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', what], {
    cwd: prefix,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function lastLine(error: unknown): string {
  const { stderr } = error as { stderr?: string };
  const lines = (stderr ?? String(error)).split('\n').filter((line) => /\S/.test(line) && !/complete log/.test(line));
  return lines.at(-1) ?? 'npm gave no reason';
}
