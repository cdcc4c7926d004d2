/** One place where the project breaks one of its own rules. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** In the form that editors and terminals turn into a link. */
export function formatFinding({ path, line, message }: Finding): string {
  return `${path}:${line} ${message}`;
}
