import { randomBytes } from 'node:crypto';

/** Lets one answer's own `<style>` elements pass its content security policy. Never used twice. */
export function newStyleNonce(): string {
  return randomBytes(16).toString('base64url');
}
