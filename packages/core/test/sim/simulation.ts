import { type Depth, StateTally } from './crash-states.js';
import { Checks, INVARIANTS, type Invariant, InvariantViolation } from './invariants.js';
import { LifeTally } from './life-tally.js';
import { SimLife } from './sim-life.js';

/** Odd, and far from a fraction with small terms: steps of this length fall far from each other, and from those of seeds nearby. */
const LIFE_STEP = 0x9e37_79b9;

/**
 * The seed of a life; the first one has that of its simulation, so it can be lived again alone. Simulations with seeds beside each other have no
 * life in common, so that several runs try as many states as their figures add up to.
 */
export function seedOfLife(seed: number, life: number): number {
  return (seed + Math.imul(life, LIFE_STEP)) >>> 0;
}

/** Lives that follow from `seed`, one after the other, each with its crash states. */
export class Simulation {
  readonly seed: number;
  readonly checks = new Checks();
  readonly states = new StateTally();
  readonly lives = new LifeTally();
  /** How often each was violated; `error`: what no invariant speaks of. */
  readonly violations = new Map<Invariant | 'error', number>();
  readonly #depth: Depth;

  constructor(seed: number, depth: Depth) {
    this.seed = seed;
    this.#depth = depth;
  }

  /**
   * @returns a number made of all that was answered in this life
   * @throws an Error that names the seed of the life, caused by what was violated
   */
  liveOnce(): number {
    const seed = seedOfLife(this.seed, this.lives.lives);
    const life = new SimLife(seed, this.#depth, this.checks, this.states, this.lives);
    try {
      life.run();
    } catch (error) {
      const invariant = error instanceof InvariantViolation ? error.invariant : 'error';
      this.violations.set(invariant, (this.violations.get(invariant) ?? 0) + 1);
      const what = error instanceof Error ? error.message : String(error);
      throw new Error(`HOLDFAST_SEED=${seed} shows it again in its first life: ${what}`, { cause: error });
    }
    return life.transcript;
  }

  summary(): string {
    const { states, lives } = this;
    return [
      `seed ${this.seed}: ${states.states} crash states in ${lives.lives} lives, ${lives.processes} processes, ${lives.calls} calls`,
      `crashes: ${states.killed} processes killed, ${states.powerCut} power cuts, ${states.duringOpen} ends of an open at one of its steps`,
      `opened twice: ${states.openedTwice}; a bit changed: ${states.damaged} (refused: ${states.refused}); went on: ${states.livedOn}`,
      `compaction: ${lives.movedJobs} jobs written again, ${lives.freedBytes} bytes freed; leases expired: ${lives.expired}`,
      `crashed at I/O events: ${listed(states.events)}`,
      `faults in lives: ${listed(lives.faults)}`,
      ...this.#invariants(),
    ].join('\n');
  }

  #invariants(): string[] {
    const rows = Object.entries(INVARIANTS).map(([text, name]) => {
      const number = Number(text) as Invariant;
      const count = String(this.checks.counts.get(number) ?? 0).padStart(12);
      return `${text.padStart(3)}  ${name.padEnd(28)}${count} checks, ${this.violations.get(number) ?? 0} violations`;
    });
    const errors = this.violations.get('error') ?? 0;
    return errors === 0 ? rows : [...rows, `     ${errors} lives ended with an error that no invariant speaks of`];
  }
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
