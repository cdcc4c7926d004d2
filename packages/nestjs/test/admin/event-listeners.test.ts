import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HoldfastAdminModule } from '../../src/admin/admin.module.js';
import { PLATFORMS, startAdminApp, viewer } from './admin-app.js';

const EVENTS = '/admin/queues/api/v1/events';
const STREAMS_OF_ONE_MAX = 10;

class Gate {
  open: () => void = () => {};
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** As jobs that are worked off before the application ends. */
@Injectable()
class SlowEnd implements BeforeApplicationShutdown {
  readonly begun = new Gate();
  readonly over = new Gate();

  async beforeApplicationShutdown(): Promise<void> {
    this.begun.open();
    await this.over.opened;
  }
}

describe.each(PLATFORMS)('who listens to events, on %s', (platform) => {
  it('takes no place for those who left before it was known who they are', async () => {
    const known = new Gate();
    const sockets: Socket[] = [];
    const app = await startAdminApp(platform, {
      settings: {
        authorize: async ({ request }) => {
          const { socket } = request as IncomingMessage;
          sockets.push(socket);
          await known.opened;
          return { role: 'viewer', actor: 'victor@example.org' };
        },
      },
    });
    onTestFinished(() => app.close());
    const leavers = Array.from({ length: STREAMS_OF_ONE_MAX }, () => get(`${app.origin}${EVENTS}`));
    for (const leaver of leavers) leaver.on('error', () => {});
    await vi.waitFor(() => expect(sockets).toHaveLength(STREAMS_OF_ONE_MAX));
    for (const leaver of leavers) leaver.destroy();
    // Only once the server has seen that they are gone does it learn who they were.
    await vi.waitFor(() => expect(sockets.every(({ closed }) => closed)).toBe(true));
    known.open();
    const request = get(`${app.origin}${EVENTS}`);
    onTestFinished(() => void request.destroy());
    const [{ statusCode }] = (await once(request, 'response')) as [IncomingMessage];
    expect(statusCode).toBe(200);
  });

  it('does not hold up the end of the application when a page comes back meanwhile', async () => {
    const slow = new SlowEnd();
    const app = await startAdminApp(platform, {
      module: {
        module: class Application {},
        imports: [
          HoldfastAdminModule.forRoot({ path: '/admin/queues', ...viewer }),
          // Global, as the module with the workers is: Nest ends those last.
          { module: class Workers {}, global: true, providers: [{ provide: SlowEnd, useValue: slow }] },
        ],
      },
    });
    const closed = app.close();
    await slow.begun.opened;
    const request = get(`${app.origin}${EVENTS}`, { agent: false });
    onTestFinished(() => void request.destroy());
    request.on('error', () => {});
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    slow.over.open();
    const outcome = await Promise.race([
      closed.then(() => 'closed'),
      new Promise((resolve) => setTimeout(resolve, 3000, 'held up')),
    ]);
    expect(outcome).toBe('closed');
  });
});
