import { ApiClient } from './api-client.js';

/*
 * Ten dashboards as their servers see them: each listens to the events, and asks again for what its page shows every two seconds, which is what the
 * application does while jobs come all the time. A process of its own; what it gets is thrown away. It is told by messages of its parent.
 */

/** What each of them shows, beside the events. Nobody asks for the overview: the events have it in them. */
const PAGES: readonly (readonly string[])[] = [
  [],
  [],
  [],
  ['jobs?limit=50'],
  ['jobs?limit=50&state=ready'],
  ['jobs?limit=50&queue=queue-007'],
  ['dead/groups?limit=50'],
  ['dead/groups?limit=50'],
  ['leases', 'workers'],
  ['storage', 'latency?measure=sync&stepMs=1000', 'latency?measure=commitRecords&stepMs=1000'],
];
const NUDGED_MS = 2000;

const [, , port] = process.argv;
if (port === undefined || process.send === undefined) throw new Error('Usage: a child of main, with a port');
let close: (() => void) | undefined;
process.on('message', (wanted: 'open' | 'close') => {
  if (wanted === 'open') close ??= openAll(Number(port));
  else {
    close?.();
    close = undefined;
  }
  process.send?.(wanted);
});

function openAll(at: number): () => void {
  const closers = PAGES.map((paths, index) =>
    open(at, paths, `dashboard-${index}`, index * (NUDGED_MS / PAGES.length)),
  );
  return () => {
    for (const one of closers) one();
  };
}

function open(at: number, paths: readonly string[], actor: string, afterMs: number): () => void {
  const client = new ApiClient(at);
  const endStream = client.stream(actor);
  const ask = () => {
    for (const path of paths) client.timed(path).catch(() => {});
  };
  let timer = setTimeout(() => {
    ask();
    timer = setInterval(ask, NUDGED_MS);
  }, afterMs);
  return () => {
    clearTimeout(timer);
    clearInterval(timer);
    endStream();
    client.close();
  };
}
