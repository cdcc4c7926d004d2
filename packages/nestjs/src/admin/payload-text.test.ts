import { describe, expect, it } from 'vitest';
import { PAYLOAD_BYTES_SHOWN_MAX, payloadText } from './payload-text.js';

const MAX = PAYLOAD_BYTES_SHOWN_MAX;

describe('payloadText', () => {
  it.each(['', '{"a":1}', 'é漢🙂', 'x'.repeat(MAX)])('gives a text of at most 64 KiB as it is', (text) => {
    expect(payloadText(text)).toEqual({ encoding: 'text', text, bytes: Buffer.byteLength(text), truncated: false });
  });

  it.each([
    ['x', 1],
    ['é', 2],
    ['漢', 3],
    ['🙂', 4],
  ])('never cuts through the character %s', (character, bytes) => {
    for (let ahead = 0; ahead < 4; ahead++) {
      const whole = 'a'.repeat(ahead) + character.repeat(MAX + 1);
      const { text, truncated, bytes: all } = payloadText(whole);
      expect(truncated).toBe(true);
      expect(all).toBe(ahead + bytes * (MAX + 1));
      expect(whole.startsWith(text)).toBe(true);
      expect(Buffer.byteLength(text)).toBeGreaterThan(MAX - bytes);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX);
    }
  });

  it('gives bytes as base64, cut at 64 KiB of bytes', () => {
    const bytes = Uint8Array.from({ length: MAX + 1 }, (_, index) => index & 255);
    expect(payloadText(bytes.subarray(254, 257))).toEqual({
      encoding: 'base64',
      text: '/v8A',
      bytes: 3,
      truncated: false,
    });
    const cut = payloadText(bytes);
    expect(cut).toMatchObject({ encoding: 'base64', bytes: MAX + 1, truncated: true });
    expect(Buffer.from(cut.text, 'base64').equals(Buffer.from(bytes.subarray(0, MAX)))).toBe(true);
  });
});
