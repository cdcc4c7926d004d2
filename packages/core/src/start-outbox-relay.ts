import { OutboxRelay, type OutboxRelayOptions } from './outbox/outbox-relay.js';
import { systemClock } from './system-clock.js';

export type StartOutboxRelayOptions = Omit<OutboxRelayOptions, 'clock'> & Partial<Pick<OutboxRelayOptions, 'clock'>>;

/**
 * Carries jobs from a table into a queue until it is closed: at once, when it is woken, and every `lookEveryMs`.
 * @throws InvalidArgumentError naming the option.
 */
export function startOutboxRelay(options: StartOutboxRelayOptions): OutboxRelay {
  return OutboxRelay.start({ clock: systemClock, ...options });
}
