import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { usePaused } from './pause.js';

/** Asks for what is shown when refreshing goes on: it is as old as the pause was long, and the next round would come seconds later. */
export function ResumedAnswers(): null {
  const client = useQueryClient();
  const paused = usePaused();
  const wasPaused = useRef(paused);
  useEffect(() => {
    if (wasPaused.current && !paused) void client.invalidateQueries({ predicate: ({ meta }) => meta?.live === true });
    wasPaused.current = paused;
  }, [paused, client]);
  return null;
}
