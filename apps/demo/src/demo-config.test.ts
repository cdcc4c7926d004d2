import { describe, expect, it } from 'vitest';
import { readConfig } from './demo-config.js';

describe('readConfig', () => {
  it('has a default for everything', () => {
    const config = readConfig({}, '/srv/shop');
    expect(config).toMatchObject({
      port: 3000,
      queueDirectory: '/srv/shop/demo-data/queue',
      mailDirectory: '/srv/shop/demo-data/mails',
      customer: true,
      poison: false,
      slowMs: 0,
    });
    expect(config.seed).toBeGreaterThanOrEqual(0);
  });

  it('takes what the environment says', () => {
    const env = {
      PORT: '0',
      DEMO_DATA: '/data',
      DEMO_CUSTOMER: 'off',
      DEMO_POISON: 'on',
      DEMO_SLOW_MS: '9',
      DEMO_SEED: '7',
    };
    expect(readConfig(env, '/srv/shop')).toEqual({
      port: 0,
      queueDirectory: '/data/queue',
      mailDirectory: '/data/mails',
      customer: false,
      poison: true,
      slowMs: 9,
      seed: 7,
    });
  });

  it('names every variable that it cannot use', () => {
    expect(() => readConfig({ PORT: '70000', DEMO_CUSTOMER: 'no', DEMO_SEED: '-1' }, '/')).toThrow(
      /PORT must be a whole number from 0 to 65535; DEMO_CUSTOMER must be "on" or "off"; DEMO_SEED must be/,
    );
  });
});
