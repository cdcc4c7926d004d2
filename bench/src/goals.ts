import type { Goal, Round } from './bench-case.js';
import type { MetricName } from './metrics.js';
import type { PeerName } from './peer.js';

/** How often Holdfast's figure holds that of another peer. */
export function times(metric: MetricName, peer: PeerName): Goal['figure'] {
  return ({ holdfast, ...others }: Round) => {
    const own = holdfast?.[metric];
    const other = (others as Round)[peer]?.[metric];
    return own === undefined || other === undefined ? undefined : own / other;
  };
}

/** Holdfast's own figure, or one divided by another. */
export function own(metric: MetricName, divisor?: MetricName): Goal['figure'] {
  return ({ holdfast }: Round) => {
    const figure = holdfast?.[metric];
    const by = divisor === undefined ? 1 : holdfast?.[divisor];
    return figure === undefined || by === undefined ? undefined : figure / by;
  };
}
