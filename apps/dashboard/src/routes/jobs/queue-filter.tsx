import { SelectField } from '../../components/field.js';
import { visibleText } from '../../format/hostile-text.js';
import { jobsText } from './jobs-text.js';

interface QueueFilterProps {
  readonly queues: readonly string[];
  readonly queue: string | undefined;
  readonly onQueue: (queue: string | undefined) => void;
}

/** A queue from the address is offered even if no such queue is known (any more). */
export function QueueFilter({ queues, queue, onQueue }: QueueFilterProps) {
  const names = queue === undefined || queues.includes(queue) ? queues : [queue, ...queues];
  return (
    <SelectField
      label={jobsText.queue}
      value={queue ?? ''}
      onChange={(event) => onQueue(event.target.value || undefined)}
    >
      <option value="">{jobsText.allQueues}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {visibleText(name)}
        </option>
      ))}
    </SelectField>
  );
}
