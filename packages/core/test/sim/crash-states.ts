import { HoldfastError } from '@holdfast/contract';
import { InvariantViolation } from './invariants.js';
import type { Ledger } from './ledger.js';
import { endsInOpen, openAndLook } from './opened-store.js';
import { checkReopened, type Reopened } from './reopen-check.js';
import type { SimDisk } from './sim-disk.js';
import { SimFileSystem, type StepKind } from './sim-file-system.js';
import { DIRECTORY, type Loss, type SimWorld } from './sim-world.js';
import type { StoreView } from './store-view.js';

/** How much is tried at each I/O event, and with which share of its states more than a single open. */
export interface Depth {
  readonly powerCuts: number;
  /** Opened a second time, after another end. */
  readonly twice: number;
  /** The open itself is ended at each of its I/O events. */
  readonly sweep: number;
  /** A bit of a segment that is surely whole is changed. */
  readonly rot: number;
  /** Somebody goes on with the store, until every job has ended. */
  readonly live: number;
}

export const DEPTH: Depth = { powerCuts: 2, twice: 0.1, sweep: 0.01, rot: 0.02, live: 0.003 };

export class StateTally {
  states = 0;
  killed = 0;
  powerCut = 0;
  duringOpen = 0;
  openedTwice = 0;
  damaged = 0;
  refused = 0;
  livedOn = 0;
  /** I/O events at which processes ended, by kind. */
  readonly events = new Map<string, number>();
}

type GoOn = (world: SimWorld, ledger: Ledger, loss: Loss) => void;

/**
 * The crash states of one life: at each of its I/O events the machine is copied, ended in several ways, opened, and held against the
 * ledger. The life itself goes on and notices nothing.
 */
export class CrashStates {
  readonly tally: StateTally;
  readonly #depth: Depth;
  readonly #goOn: GoOn;
  /** What a store with nothing lost shows after each commit. */
  #trail = new Map<number, string>();

  constructor(tally: StateTally, depth: Depth, goOn: GoOn) {
    this.tally = tally;
    this.#depth = depth;
    this.#goOn = goOn;
  }

  /** Commits after this one never were. */
  takeBackAfter(foundSeq: number): void {
    for (const seq of this.#trail.keys()) if (seq > foundSeq) this.#trail.delete(seq);
  }

  /** A process has opened. */
  begin({ foundSeq, text }: StoreView): void {
    this.#trail = new Map([[foundSeq, text]]);
  }

  /** An I/O event of this world is about to happen. */
  at(world: SimWorld, ledger: Ledger, kind: StepKind, torn: boolean): void {
    const event = torn ? `torn ${kind}` : kind;
    this.tally.events.set(event, (this.tally.events.get(event) ?? 0) + 1);
    this.tally.killed++;
    this.#try(world.fork(), ledger, 'kept');
    for (let cut = 0; cut < this.#depth.powerCuts; cut++) {
      this.tally.powerCut++;
      this.#try(world.fork(), ledger, 'unsynced');
    }
  }

  #try(world: SimWorld, ledger: Ledger, loss: Loss): void {
    const { random, disk } = world;
    world.end(loss);
    const before = disk.copy();
    const { view } = this.#openAndCheck(world, ledger, loss);
    this.#compareTrail(world, view, loss);
    const { twice, sweep, rot, live } = this.#depth;
    if (random.chance(twice)) this.#openTwice(world, view);
    if (random.chance(sweep)) this.#sweep(world, before, ledger, view, loss);
    if (random.chance(rot)) this.#rot(world.fork(before), view);
    if (!random.chance(live)) return;
    this.tally.livedOn++;
    this.#goOn(world.fork(before), ledger.copy(), loss);
  }

  #openAndCheck(world: SimWorld, ledger: Ledger, loss: Loss): Reopened {
    this.tally.states++;
    const found = openAndLook(world, loss);
    checkReopened(ledger, found);
    return found;
  }

  /** What is found is what a store without losses had after the same commit, whatever has happened to the log since. */
  #compareTrail({ checks }: SimWorld, { foundSeq, text }: StoreView, loss: Loss): void {
    const known = this.#trail.get(foundSeq);
    if (known === undefined && loss === 'kept') {
      this.#trail.set(foundSeq, text);
      return;
    }
    const last = Math.max(...[...this.#trail.keys()].filter((seq) => seq <= foundSeq));
    const wanted = this.#trail.get(last);
    const say = () => `commit ${foundSeq} (known: ${last}) had\n${wanted}\nand an open finds\n${text}`;
    checks.that(loss === 'kept' ? 19 : 17, wanted === text, say);
  }

  /** Recovering twice gives the same. The second time nothing is torn, and nothing is touched but the tail and the segment after it. */
  #openTwice(world: SimWorld, first: StoreView): void {
    this.tally.openedTwice++;
    const { checks, disk, random } = world;
    const before = disk.contents();
    world.end(random.chance(0.5) ? 'kept' : 'unsynced');
    const { view } = openAndLook(world, 'kept');
    checks.that(
      17,
      view.text === first.text,
      () => `the first open finds\n${first.text}\nand the second\n${view.text}`,
    );
    checks.that(17, !view.isTorn, () => 'a second open finds a torn tail');
    const after = disk.contents();
    const touchable = segmentsOf(disk).slice(-3);
    const changed = [...before.keys()].filter((path) => before.get(path) !== after.get(path));
    const old = changed.filter((path) => !touchable.some((name) => path.endsWith(name)));
    checks.that(17, old.length === 0, () => `a second open has changed ${old.join(', ')}`);
  }

  /** The open ends at each of its own I/O events, and the next one finds the same, or less where the power goes only now. */
  #sweep(from: SimWorld, before: SimDisk, ledger: Ledger, wanted: StoreView, firstLoss: Loss): void {
    for (let step = 0; ; step++) {
      const world = from.fork(before);
      const files = new SimFileSystem(world.disk, world.random, { atStep: step, fault: 'end' });
      if (!endsInOpen(world, files)) return;
      this.tally.duringOpen++;
      this.tally.states++;
      const end = world.random.chance(0.4) ? 'kept' : 'unsynced';
      const loss = firstLoss === 'kept' ? end : 'unsynced';
      world.end(end);
      const found = openAndLook(world, loss);
      // What comes after it was written by the open that ended.
      const foundSeq = Math.min(found.view.foundSeq, wanted.foundSeq);
      const view = { ...found.view, foundSeq };
      checkReopened(ledger, { ...found, view });
      const say = () => `an open that ended at its step ${step} turned\n${wanted.text}\ninto\n${view.text}`;
      if (foundSeq < wanted.foundSeq) this.#compareTrail(world, view, 'unsynced');
      else world.checks.that(17, view.text === wanted.text, say);
    }
  }

  /** A segment that is followed by one with commits was whole: a change of it is refused and nothing is written, or it changes nothing. */
  #rot(world: SimWorld, wanted: StoreView): void {
    const { disk, random, checks } = world;
    const names = segmentsOf(disk);
    if (names.length < 3) return;
    this.tally.damaged++;
    const name = random.pick(names.slice(0, -2));
    const { current } = disk.directory(DIRECTORY).current.get(name)!;
    current[random.below(current.length)]! ^= 1 << random.below(8);
    const damaged = disk.copy().contents();
    try {
      const { view } = openAndLook(world, 'kept');
      // The name of a retired segment is all that is read of it.
      const say = () => `${name} is damaged, and an open finds\n${view.text}\nin place of\n${wanted.text}`;
      checks.that(18, view.text === wanted.text, say);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.tally.refused++;
      const isSame = [...disk.contents()].every(([path, bytes]) => damaged.get(path) === bytes);
      checks.that(18, isSame, () => `an open that refused ${name} has written`);
    }
  }
}

function segmentsOf(disk: SimDisk): string[] {
  const names = [...(disk.directories.get(DIRECTORY)?.current.keys() ?? [])];
  return names.filter((name) => name.endsWith('.segment')).sort();
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof InvariantViolation && error.cause instanceof HoldfastError)) return false;
  return error.cause.code === 'LOG_CORRUPT' || error.cause.code === 'LOG_VERSION';
}
