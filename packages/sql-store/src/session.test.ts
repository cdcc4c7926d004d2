import { expect, it } from 'vitest';
import { Session } from './session.js';
import type { SessionConnection, SessionLink, SessionListener } from './session-link.js';

/** Loses each connection in the moment in which it is made. */
class BrokenLink implements SessionLink {
  open = 0;

  async connect(_: number, listener: SessionListener): Promise<SessionConnection> {
    this.open++;
    listener.lost(new Error('terminated'));
    return {
      lostProcesses: 0,
      queries: { run: async () => [] },
      leads: async () => true,
      ping: async () => {},
      leave: async () => {},
      end: () => this.open--,
    };
  }
}

it('keeps no connection that was lost while it was made: there may be only one', async () => {
  const link = new BrokenLink();
  const session = new Session({ link, heard: () => {}, cancelled: () => {}, reached: () => {} }, 1);
  await expect(session.connect()).rejects.toThrow('closed by the server');
  expect(link.open).toBe(0);
  expect(session.queries).toBeUndefined();
});
