import { createHash } from 'node:crypto';

/** A dedupe key for what a person asks for under a request id. What somebody else calls the same is another request: the first part is the actor. */
export function requestKey(...parts: readonly [actor: string, requestId: string, ...more: string[]]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
