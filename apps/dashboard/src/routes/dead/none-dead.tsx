import { Link } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { visibleText } from '../../format/hostile-text.js';
import { deadText } from './dead-text.js';

export function NoneDead({ queue }: { readonly queue: string | undefined }) {
  if (queue === undefined) return <EmptyState title={deadText.emptyTitle}>{deadText.emptyNote}</EmptyState>;
  return (
    <EmptyState title={deadText.emptyInQueue(visibleText(queue))}>
      <Link href="/dead">{deadText.allQueues}</Link>
    </EmptyState>
  );
}
