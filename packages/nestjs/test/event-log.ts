/** What happened, in order, and a way to wait for it. */
export class EventLog {
  readonly entries: string[] = [];
  #waiting: (() => void)[] = [];

  add(entry: string): void {
    this.entries.push(entry);
    for (const look of this.#waiting.splice(0)) look();
  }

  /** Resolves once the entry is there as often as asked. */
  async seen(entry: string, times = 1): Promise<void> {
    while (this.entries.filter((other) => other === entry).length < times) {
      await new Promise<void>((look) => this.#waiting.push(look));
    }
  }
}
