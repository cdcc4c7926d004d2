import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Everything that can be set from outside, read once at start. */
export interface DemoConfig {
  /** The shop listens here, or on the next free port; 0 takes any free one. */
  readonly port: number;
  readonly queueDirectory: string;
  readonly mailDirectory: string;
  /** The built-in customer starts shopping by itself. */
  readonly customer: boolean;
  /** An order of the article `poison` kills the process. */
  readonly poison: boolean;
  /** Each receipt takes this much longer, so that one can watch a lease. */
  readonly slowMs: number;
  /** The customer and the receiver draw their chance from it. */
  readonly seed: number;
}

/** Says which variable cannot be used and what it may be. */
export class ConfigError extends Error {}

/** @throws ConfigError naming each variable that cannot be used. */
export function readConfig(env: NodeJS.ProcessEnv, workingDirectory: string): DemoConfig {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ConfigError(`The demo cannot start: ${problems.join('; ')}.`);
  }
  const { PORT, DEMO_DATA, DEMO_CUSTOMER, DEMO_POISON, DEMO_SLOW_MS, DEMO_SEED } = parsed.data;
  const data = resolve(workingDirectory, DEMO_DATA);
  return {
    port: PORT,
    queueDirectory: join(data, 'queue'),
    mailDirectory: join(data, 'mails'),
    customer: DEMO_CUSTOMER,
    poison: DEMO_POISON,
    slowMs: DEMO_SLOW_MS,
    seed: DEMO_SEED ?? randomInt(1_000_000),
  };
}

const environment = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  DEMO_DATA: z.string().min(1, 'must name a directory').default('demo-data'),
  DEMO_CUSTOMER: onOrOff().default(true),
  DEMO_POISON: onOrOff().default(false),
  DEMO_SLOW_MS: wholeNumber(0, 600_000).default(0),
  DEMO_SEED: wholeNumber(0, 2 ** 32 - 1).optional(),
});

function wholeNumber(least: number, most: number) {
  const problem = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, problem)
    .transform(Number)
    .refine((value) => value >= least && value <= most, problem);
}

function onOrOff() {
  return z.enum(['on', 'off'], 'must be "on" or "off"').transform((word) => word === 'on');
}
