const count = (value: number) => Math.round(value).toLocaleString('en-US');
const digits = (places: number) => (value: number) => value.toFixed(places);

/** What a workload may measure: its words in tables, and which way is better. */
export const FIGURES = {
  jobsPerSecond: { title: 'jobs/s', better: 'more', format: count },
  p50Ms: { title: 'p50 ms', better: 'less', format: digits(2) },
  p99Ms: { title: 'p99 ms', better: 'less', format: digits(2) },
  /** Of the application's process and of the server. */
  cpuMicroseconds: { title: 'CPU µs/job', better: 'less', format: digits(1) },
  memoryBytes: { title: 'bytes in memory', better: 'less', format: count },
  diskBytes: { title: 'bytes on disk', better: 'less', format: count },
  cpuMsPerSecond: { title: 'CPU ms/s', better: 'less', format: digits(2) },
  /** Until the last attempt of the last job. */
  lastEndSeconds: { title: 'last end after s', better: 'less', format: digits(2) },
} as const;

export type FigureName = keyof typeof FIGURES;

/** What one run measured. */
export type Figures = Readonly<Partial<Record<FigureName, number>>>;

/** How many times better the reference is: above 1 it is. `undefined` where one of them was not measured or is nothing at all. */
export function timesBetter(name: FigureName, reference: Figures, other: Figures): number | undefined {
  const own = reference[name];
  const others = other[name];
  if (own === undefined || others === undefined || own <= 0 || others <= 0) return undefined;
  return FIGURES[name].better === 'more' ? own / others : others / own;
}
