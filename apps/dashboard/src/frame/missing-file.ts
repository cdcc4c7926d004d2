/** A part of the dashboard that is not there any more: the server has been updated since this page was opened. */
export class MissingFileError extends Error {
  constructor(cause: unknown) {
    super('The server may have another version of the dashboard by now. Trying again loads the whole page.', { cause });
    this.name = 'MissingFileError';
  }
}

/** For what is loaded only when it is needed, which may be days after the page. */
export function missingFile(cause: unknown): never {
  throw new MissingFileError(cause);
}
