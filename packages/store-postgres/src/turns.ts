/** One after the other. A client of pg that is asked while it is answering warns of it, and from pg 9 on it refuses. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}
