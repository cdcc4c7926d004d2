import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../demo-config.js';
import { type OrderForm } from '../orders/order.js';
import { Customer } from './customer.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function customerWith(place: (form: OrderForm) => Promise<{ orderId: string; jobId: string }>, env = {}) {
  const config = readConfig({ DEMO_SEED: '1', ...env }, '/');
  return new Customer(config, { place });
}

const placed = { orderId: 'order', jobId: 'job' };

describe('Customer', () => {
  it('orders about once a second until it is stopped', async () => {
    const place = vi.fn(async () => placed);
    const customer = customerWith(place);
    customer.onApplicationBootstrap();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(place.mock.calls.length).toBeGreaterThan(45);
    expect(place.mock.calls.length).toBeLessThan(80);

    customer.stop();
    const before = place.mock.calls.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(place).toHaveBeenCalledTimes(before);
    expect(customer.running).toBe(false);
  });

  it('stays away when it is switched off, until it is called', async () => {
    const place = vi.fn(async () => placed);
    const customer = customerWith(place, { DEMO_CUSTOMER: 'off' });
    customer.onApplicationBootstrap();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(place).not.toHaveBeenCalled();
    customer.start();
    customer.start();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(place).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(1);
  });

  it('comes back after an order that was not taken', async () => {
    const place = vi
      .fn<() => Promise<typeof placed>>()
      .mockRejectedValueOnce(new Error('closed'))
      .mockResolvedValue(placed);
    const customer = customerWith(place);
    customer.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(place.mock.calls.length).toBeGreaterThan(3);
    customer.onModuleDestroy();
  });
});
