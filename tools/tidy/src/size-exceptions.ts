/** A file or function that is longer than the limit on purpose. */
export interface SizeException {
  readonly path: string;
  /** Only this function of the file; without it the file as a whole. */
  readonly functionName?: string;
  /** How long it may be: the exception does not grow by itself. */
  readonly linesMax: number;
  readonly reason: string;
}

export const sizeExceptions: readonly SizeException[] = [];
