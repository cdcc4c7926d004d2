import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineInShort, probe } from './machine/abilities.js';
import { cleanUp } from './machine/cleanup.js';
import { CannotRunError, type Rig, type RigOutcome, type RigSettings } from './rig.js';
import { badSync } from './rigs/bad-sync.js';
import { kill } from './rigs/kill.js';
import { noSpace } from './rigs/no-space.js';
import { openers } from './rigs/openers.js';
import { power } from './rigs/power.js';
import { stall } from './rigs/stall.js';
import { chooseSeed } from './seeded.mjs';

const RIGS: readonly Rig[] = [kill, power, noSpace, badSync, stall, openers];

const EXIT = { kept: 0, broken: 1, usage: 2, cannotRun: 3 } as const;
const PROBLEMS_SHOWN = 20;

const USAGE = `npm run torture -- <rig> [options]
npm run torture -- probe      what this machine can do, and which rig needs it

${RIGS.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n')}

  --rounds <n>      how often
  --seed <n>        the same moments and jobs as in the run that printed it
  --fs <list>       file systems for the rigs that make disks: ext4, xfs, tmpfs
  --in <directory>  where to work; default: the system's directory for temporary files

Exit codes: ${EXIT.kept} every promise was kept, ${EXIT.broken} one was broken, ${EXIT.usage} usage, ${EXIT.cannotRun} this machine cannot run the rig.
`;

/** @returns the exit code */
export async function main(programArguments: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...programArguments],
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seed: { type: 'string' },
      fs: { type: 'string', default: '' },
      in: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  if (positionals[0] === 'probe') return tellAbilities();
  const rig = RIGS.find(({ name }) => name === positionals[0]);
  if (rig === undefined || values.help) {
    console.log(USAGE);
    return values.help ? EXIT.kept : EXIT.usage;
  }
  const scratch = mkdtempSync(join(values.in, `holdfast-${rig.name}-`));
  return run(rig, {
    rounds: values.rounds === undefined ? undefined : Number(values.rounds),
    seed: values.seed === undefined ? chooseSeed() : Number(values.seed),
    fileSystems: values.fs.split(',').filter((name) => name !== ''),
    scratch,
    say: (line) => console.log(`  ${line}`),
  });
}

/** @returns whether all rigs can run in full */
function tellAbilities(): number {
  console.log(machineInShort());
  const abilities = probe();
  cleanUp();
  for (const { ability, missing } of abilities) {
    console.log(
      `  ${missing === undefined ? 'yes' : 'NO '} ${ability.name.padEnd(20)} ${missing ?? ''} (${ability.neededBy})`,
    );
  }
  return abilities.every(({ missing }) => missing === undefined) ? EXIT.kept : EXIT.cannotRun;
}

async function run(rig: Rig, settings: RigSettings): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log(`torture ${rig.name} was ended by ${signal}; its files are in ${settings.scratch}`);
      cleanUp();
      process.exit(EXIT.broken);
    });
  }
  console.log(`torture ${rig.name}: seed ${settings.seed}, in ${settings.scratch}`);
  const startedMs = Date.now();
  try {
    const outcome = await rig.run(settings);
    for (const problem of outcome.problems.slice(0, PROBLEMS_SHOWN)) console.log(`BROKEN ${problem}`);
    console.log(summary(rig, settings, outcome, Date.now() - startedMs));
    cleanUp();
    if (outcome.problems.length > 0) return EXIT.broken;
    rmSync(settings.scratch, { recursive: true, force: true });
    return EXIT.kept;
  } catch (error) {
    if (!(error instanceof CannotRunError)) throw error;
    console.log(`torture ${rig.name} cannot run here: ${error.message}`);
    rmSync(settings.scratch, { recursive: true, force: true });
    return EXIT.cannotRun;
  } finally {
    cleanUp();
  }
}

function summary(rig: Rig, { seed, scratch }: RigSettings, { figures, problems }: RigOutcome, tookMs: number): string {
  const all = { ...figures, seed, commit: commit(), seconds: Math.round(tookMs / 1000) };
  const told = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const verdict = problems.length === 0 ? 'kept' : `BROKEN (${problems.length} problems; files kept in ${scratch})`;
  return `torture ${rig.name} ${verdict}: ${told.join(' · ')}`;
}

/** Of the sources, with a plus where something was changed since. */
function commit(): string {
  try {
    const git = (...gitArguments: string[]) =>
      execFileSync('git', gitArguments, { encoding: 'utf8', stdio: 'pipe' }).trim();
    const changed = git('status', '--porcelain', '--', 'packages/core/src', 'packages/contract/src') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}
