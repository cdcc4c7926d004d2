import type { ServerSentEvent } from '@holdfast/contract';
import { apiUrl, mountPath } from '../mount.js';
import { EventStream, type SourceListener, type StreamWorld, type TabMessage } from './event-stream.js';

const EVENTS: readonly ServerSentEvent['event'][] = ['hello', 'resync', 'counts', 'operation'];

/** The stream of this browser, or nothing where it lacks the means. */
export function browserStream(onEvent: (event: ServerSentEvent) => void): EventStream | undefined {
  const able = 'EventSource' in window && 'BroadcastChannel' in window && navigator.locks !== undefined;
  return able ? new EventStream(browserWorld(), onEvent) : undefined;
}

/** Two dashboards on one host do not mix: the mount is a part of every name. */
function browserWorld(): StreamWorld {
  const name = `holdfast.events ${mountPath()}`;
  const channel = new BroadcastChannel(name);
  return {
    lead: (call) => void navigator.locks.request(name, call),
    openSource,
    post: (message) => channel.postMessage(message),
    onMessage: (listen) => {
      channel.onmessage = ({ data }: MessageEvent<TabMessage>) => listen(data);
    },
    every: (ms, call) => {
      const timer = setInterval(call, ms);
      return () => clearInterval(timer);
    },
    after: (ms, call) => setTimeout(call, ms),
    now: () => performance.now(),
  };
}

/** The browser tries again by itself and says what it saw last, unless the server refused. */
function openSource(listener: SourceListener): EventSource {
  const source = new EventSource(apiUrl(['events']));
  source.onopen = () => listener.onOpen();
  source.onerror = () => (source.readyState === EventSource.CLOSED ? listener.onRefused() : listener.onBroken());
  for (const event of EVENTS) {
    source.addEventListener(event, ({ data }: MessageEvent<string>) =>
      listener.onEvent({ event, data: JSON.parse(data) } as ServerSentEvent),
    );
  }
  return source;
}
