import { type Labels, type Sample } from './metric.js';

/** Counts of durations up to each bound, for one set of labels. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count++;
    const index = this.#bounds.findIndex((bound) => value <= bound);
    if (index >= 0) this.#counts[index]!++;
  }

  samples(labels: Labels): Sample[] {
    let below = 0;
    const buckets = this.#bounds.map((bound, index) => {
      below += this.#counts[index]!;
      return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below };
    });
    return [
      ...buckets,
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: this.#count },
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: this.#count },
    ];
  }
}
