/** A broken promise between two parts of Holdfast: a bug here, never a fault of the caller. Stays on in production. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, broken: string): asserts condition {
  if (!condition) throw new InvariantError(`Holdfast broke a rule of its own: ${broken}. Please report this.`);
}

/** For the branch that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new InvariantError(`Holdfast met a case that cannot exist: ${String(value)}. Please report this.`);
}
