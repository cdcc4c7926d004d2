import type { ServerSentEvent } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { EventStream, type SourceListener, type TabMessage } from './event-stream.js';

/** A browser with tabs, one lock and one channel. */
class Browser {
  nowMs = 0;
  sources: SourceListener[] = [];
  #leaders: (() => void)[] = [];
  #held = false;
  readonly #channel: ((message: TabMessage) => void)[] = [];
  readonly #timers: { everyMs: number; dueMs: number; call: () => void }[] = [];

  open(): { readonly stream: EventStream; readonly events: ServerSentEvent[] } {
    const events: ServerSentEvent[] = [];
    let own: (message: TabMessage) => void = () => undefined;
    const stream = new EventStream(
      {
        lead: (call) => {
          this.#leaders.push(() => void call());
          this.#elect();
        },
        openSource: (listener) => {
          this.sources.push(listener);
          return { close: () => undefined };
        },
        post: (message) => {
          for (const hear of this.#channel) if (hear !== own) hear(message);
        },
        onMessage: (listen) => {
          own = listen;
          this.#channel.push(listen);
        },
        every: (everyMs, call) => {
          this.#timers.push({ everyMs, dueMs: this.nowMs + everyMs, call });
          return () => undefined;
        },
        after: (ms, call) => this.#timers.push({ everyMs: Number.POSITIVE_INFINITY, dueMs: this.nowMs + ms, call }),
        now: () => this.nowMs,
      },
      (event) => events.push(event),
    );
    return { stream, events };
  }

  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 1_000) {
      this.nowMs += 1_000;
      for (const timer of [...this.#timers]) {
        if (timer.dueMs > this.nowMs) continue;
        timer.dueMs += timer.everyMs;
        timer.call();
      }
    }
  }

  /** The tab that reads is closed: its timers end with it. */
  closeLeader(): void {
    this.#held = false;
    this.#timers.splice(0);
    this.#elect();
  }

  #elect(): void {
    if (this.#held) return;
    const next = this.#leaders.shift();
    if (next === undefined) return;
    this.#held = true;
    next();
  }
}

const hello: ServerSentEvent = { event: 'hello', data: { serverTimeMs: 1, resumed: false } };

it('opens one stream for all tabs, and tells every tab what comes', () => {
  const browser = new Browser();
  const tabs = Array.from({ length: 10 }, () => browser.open());
  expect(browser.sources).toHaveLength(1);
  browser.sources[0]?.onOpen();
  browser.sources[0]?.onEvent(hello);
  expect(tabs.map(({ events }) => events)).toEqual(tabs.map(() => [hello]));
  expect(tabs.every(({ stream }) => stream.live())).toBe(true);
});

it('is taken over by another tab when the one that reads is closed', () => {
  const browser = new Browser();
  browser.open();
  const other = browser.open();
  browser.sources[0]?.onOpen();
  browser.closeLeader();
  expect(browser.sources).toHaveLength(2);
  browser.sources[1]?.onOpen();
  browser.sources[1]?.onEvent(hello);
  expect(other.events).toEqual([hello]);
});

it('is not live while it is broken, nor when nothing is heard of it', () => {
  const browser = new Browser();
  const { stream } = browser.open();
  browser.sources[0]?.onOpen();
  browser.pass(60_000);
  expect(stream.live()).toBe(true);
  browser.sources[0]?.onBroken();
  expect(stream.live()).toBe(false);
  browser.sources[0]?.onOpen();
  expect(stream.live()).toBe(true);
  browser.nowMs += 11_000;
  expect(stream.live()).toBe(false);
});

it('asks again after a while when the server refused to stream', () => {
  const browser = new Browser();
  browser.open();
  browser.sources[0]?.onRefused();
  browser.pass(59_000);
  expect(browser.sources).toHaveLength(1);
  browser.pass(2_000);
  expect(browser.sources).toHaveLength(2);
});
