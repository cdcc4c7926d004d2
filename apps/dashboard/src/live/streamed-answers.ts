import type { BulkOperationAnswer, OverviewAnswer, ServerSentEvent } from '@holdfast/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useFeature } from '../api/meta.js';
import { browserStream } from './browser-stream.js';
import { isPaused } from './pause.js';
import { showStream } from './stream-state.js';

/** Lists are asked for again at most so often, however fast things change. */
const NUDGE_MS = 2_000;

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

function receiverOf(client: QueryClient): (event: ServerSentEvent) => void {
  let nudgedAtMs = 0;
  const nudge = () => {
    const nowMs = performance.now();
    if (document.hidden || nowMs - nudgedAtMs < NUDGE_MS) return;
    nudgedAtMs = nowMs;
    void client.invalidateQueries({ predicate: ({ meta }) => meta?.nudged === true });
  };
  return (event) => {
    // Paused means that nothing moves, whoever moves it.
    if (isPaused()) return;
    if (event.event === 'counts') {
      client.setQueryData<OverviewAnswer>(['overview'], event.data);
      nudge();
    } else if (event.event === 'operation') {
      client.setQueryData<BulkOperationAnswer>(['operation', event.data.operation.id], event.data);
      void client.invalidateQueries({ queryKey: ['operations'] });
    } else if (event.event === 'resync' || !event.data.resumed) {
      void client.invalidateQueries({ predicate: ({ meta }) => meta?.live === true });
    }
  };
}
