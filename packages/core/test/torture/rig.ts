/** What somebody at a terminal may choose. */
export interface RigSettings {
  readonly rounds: number | undefined;
  readonly seed: number;
  /** Where the rig works; removed afterwards if all was well. */
  readonly scratch: string;
  readonly fileSystems: readonly string[];
  readonly say: (line: string) => void;
}

export interface RigOutcome {
  /** For the summary line, in this order. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** Empty if every promise was kept. */
  readonly problems: readonly string[];
}

export interface Rig {
  readonly name: string;
  readonly about: string;
  run(settings: RigSettings): Promise<RigOutcome>;
}

/** This machine lacks something: not a failure, but nothing was tested either. */
export class CannotRunError extends Error {}
