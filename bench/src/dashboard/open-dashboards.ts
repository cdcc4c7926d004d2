import { processorTime } from '../processor-time.js';
import { ApiClient } from './api-client.js';

/*
 * Ten dashboards as their servers see them: each listens to the events, and asks again for what its page shows as often as the application does
 * while jobs come all the time. A process of its own; what it gets is thrown away. It is told by messages of its parent.
 */

export interface DashboardsAnswer {
  /** What this process has taken of the processors so far. */
  readonly processorMs: number;
}

/** What each of them shows, beside the events. Nobody asks for the overview: the events have it in them. */
const PAGES: readonly Page[] = [
  { calm: ['attention'] },
  { calm: ['attention'] },
  { calm: ['attention'] },
  { calm: ['jobs?limit=50'] },
  { calm: ['jobs?limit=50&state=ready'] },
  { calm: ['jobs?limit=50&queue=queue-007'] },
  { calm: ['dead/groups?limit=50'] },
  { calm: ['dead/groups?limit=50'] },
  { fast: ['leases'], calm: ['workers', 'storage'] },
  { calm: ['storage', 'latency?measure=sync&stepMs=1000', 'latency?measure=commitRecords&stepMs=1000'] },
];
/** As `apps/dashboard/src/live/streamed-answers.ts` has them, while changes do not stop. */
const FAST_MS = 2000;
const CALM_MS = 4000;

interface Page {
  readonly fast?: readonly string[];
  readonly calm: readonly string[];
}

const [, , port] = process.argv;
if (port === undefined || process.send === undefined) throw new Error('Usage: a child of main, with a port');
let close: (() => void) | undefined;
process.on('message', (wanted: 'open' | 'close') => {
  if (wanted === 'open') close ??= openAll(Number(port));
  else {
    close?.();
    close = undefined;
  }
  process.send?.({ processorMs: processorTime().process / 1000 } satisfies DashboardsAnswer);
});

function openAll(at: number): () => void {
  const closers = PAGES.map((page, index) => open(at, page, `dashboard-${index}`, index * (CALM_MS / PAGES.length)));
  return () => {
    for (const one of closers) one();
  };
}

function open(at: number, { fast = [], calm }: Page, actor: string, afterMs: number): () => void {
  const client = new ApiClient(at);
  const endStream = client.stream(actor);
  const every = (ms: number, paths: readonly string[]) => {
    const ask = () => {
      for (const path of paths) client.timed(path).catch(() => {});
    };
    ask();
    return setInterval(ask, ms);
  };
  const timers: NodeJS.Timeout[] = [];
  const begun = setTimeout(() => timers.push(every(FAST_MS, fast), every(CALM_MS, calm)), afterMs);
  return () => {
    clearTimeout(begun);
    for (const timer of timers) clearInterval(timer);
    endStream();
    client.close();
  };
}
