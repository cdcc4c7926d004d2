/** In place of what a handler outside of this thread returned, where that could not be brought here. */
export class LostResult {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}
