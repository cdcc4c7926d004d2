import type { BulkOperationAnswer, OverviewAnswer, ServerSentEvent } from '@holdfast/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useFeature } from '../api/meta.js';
import { browserStream } from './browser-stream.js';
import { isPaused } from './pause.js';
import type { Nudged } from './refresh.js';
import { showStream } from './stream-state.js';

/** What is shown is asked for again at most so often, however fast things change. */
const NUDGE_MS = 2_000;
/** Lists while changes do not stop: nobody reads rows that are others every two seconds, and each costs the application something. */
const STEADY_NUDGE_MS = 4_000;
/** Changes do not stop once this many in a row had to wait. */
const STEADY_AFTER = 2;

let begun = false;

/** Brings what the server tells into the answers that are shown. Starts once the server has said that it tells. */
export function StreamedAnswers(): null {
  const client = useQueryClient();
  const told = useFeature('events');
  useEffect(() => {
    if (!told || begun) return;
    begun = true;
    showStream(browserStream(receiverOf(client)));
  }, [told, client]);
  return null;
}

/** Exported for its test. */
export function receiverOf(client: QueryClient): (event: ServerSentEvent) => void {
  const askAgain = (which: Nudged) => {
    if (document.hidden || isPaused()) return;
    void client.invalidateQueries({ predicate: ({ meta }) => meta?.nudged === which });
  };
  const nudgeFast = atMostEvery(NUDGE_MS, NUDGE_MS, () => askAgain('fast'));
  const nudgeCalm = atMostEvery(NUDGE_MS, STEADY_NUDGE_MS, () => askAgain('calm'));
  return (event) => {
    // Paused means that nothing moves, whoever moves it.
    if (isPaused()) return;
    if (event.event === 'counts') {
      void put<OverviewAnswer>(client, ['overview'], event.data);
      nudgeFast();
      nudgeCalm();
    } else if (event.event === 'operation') {
      void put<BulkOperationAnswer>(client, ['operation', event.data.operation.id], event.data);
      void client.invalidateQueries({ queryKey: ['operations'] });
    } else if (event.event === 'resync' || !event.data.resumed) {
      void client.invalidateQueries({ predicate: ({ meta }) => meta?.live === true });
    }
  };
}

/** What was asked for before the server told this would overwrite it with what was so before. */
async function put<Answer>(client: QueryClient, queryKey: readonly string[], answer: Answer): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<Answer>(queryKey, answer);
}

/** At once, and once more behind what came too soon: the last change of all is not left out. Less often while it does not stop. */
function atMostEvery(ms: number, steadyMs: number, call: () => void): () => void {
  let calledAtMs = Number.NEGATIVE_INFINITY;
  let isDue = false;
  let waited = 0;
  const callNow = () => {
    isDue = false;
    calledAtMs = performance.now();
    call();
  };
  return () => {
    if (isDue) return;
    const waitMs = calledAtMs + (waited < STEADY_AFTER ? ms : steadyMs) - performance.now();
    if (waitMs <= 0) {
      waited = 0;
      callNow();
      return;
    }
    isDue = true;
    waited++;
    setTimeout(callNow, waitMs);
  };
}
