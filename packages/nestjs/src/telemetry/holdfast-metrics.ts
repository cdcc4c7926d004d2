import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Fleet } from '../processor/fleet.js';
import { JobMeter } from './job-meter.js';
import { LOOP_LOOK_EVERY_MS, type Measurement, measure } from './measurement.js';
import { metricText, type Sample } from './metric.js';
import { METRICS, type Metric } from './metrics.js';

/** What is asked of prom-client: its `register`, or a `Registry` of your own. */
export interface MetricsRegistry {
  registerMetric(metric: never): void;
}

/**
 * The figures of queues, jobs, workers and stores, for Prometheus. Nothing is counted, and nothing costs, before the first
 * call of either method, which belongs into the start of the application: a constructor may make it.
 */
@Injectable()
export class HoldfastMetrics implements OnApplicationShutdown {
  readonly #fleet: Fleet;
  #meter: JobMeter | undefined;
  #loopDelay: IntervalHistogram | undefined;
  #measuring: Promise<Measurement> | undefined;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** Puts all metrics into a registry of prom-client, which reads them whenever it is read. */
  registerIn(registry: MetricsRegistry): void {
    this.#begin();
    for (const metric of METRICS) registry.registerMetric(this.#collector(metric) as never);
  }

  /** All metrics in the text format of Prometheus: to be answered as `text/plain; version=0.0.4`. */
  async text(): Promise<string> {
    const measurement = await this.#measure();
    return METRICS.map((metric) => metricText(metric, metric.read(measurement))).join('\n');
  }

  onApplicationShutdown(): void {
    this.#loopDelay?.disable();
  }

  #begin(): { readonly meter: JobMeter; readonly loopDelay: IntervalHistogram } {
    if (this.#meter === undefined) {
      const meter = new JobMeter();
      this.#fleet.forEachWorker((worker) => meter.listen(worker));
      this.#meter = meter;
    }
    if (this.#loopDelay === undefined) {
      this.#loopDelay = monitorEventLoopDelay({ resolution: LOOP_LOOK_EVERY_MS });
      this.#loopDelay.enable();
    }
    return { meter: this.#meter, loopDelay: this.#loopDelay };
  }

  /** All metrics of one reading of the registry are of one measurement. */
  #measure(): Promise<Measurement> {
    const { meter, loopDelay } = this.#begin();
    this.#measuring ??= measure(this.#fleet, meter, loopDelay, Date.now()).finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  /** What prom-client takes for a metric. It renames counters for OpenMetrics, and resets all when it is told to. */
  #collector(metric: Metric) {
    const { name, help, type } = metric;
    const collector = {
      name,
      help,
      type,
      aggregator: 'sum',
      reset: () => undefined,
      get: async () => {
        const samples = metric.read(await this.#measure());
        const values = samples.map((sample) => this.#valueOf(collector.name, sample));
        return { name: collector.name, help, type, aggregator: 'sum', values };
      },
    };
    return collector;
  }

  #valueOf(name: string, { labels, value, suffix }: Sample) {
    return suffix === undefined ? { labels, value } : { labels, value, metricName: `${name}${suffix}` };
  }
}
