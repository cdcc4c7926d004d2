import type { BulkAct } from '@holdfast/contract';
import { useState } from 'react';
import { ActForm } from '../acts/act-form.js';
import { actText } from '../acts/act-text.js';
import { isPriority, PriorityField } from '../acts/priority-field.js';
import { QueueField } from '../acts/queue-field.js';
import { bulkText } from './bulk-text.js';
import type { OpenAct } from './open-act.js';

interface ChoiceFormProps extends OpenAct {
  readonly onChoose: (act: BulkAct) => void;
  readonly onClose: () => void;
}

/** What has to be known before anything can be counted. */
export function ChoiceForm({ kind, onChoose, onClose }: ChoiceFormProps) {
  const [queue, setQueue] = useState('');
  const [priority, setPriority] = useState('');
  const isTransfer = kind === 'transfer';
  const missing = isTransfer ? queue === '' && actText.queueFirst : !isPriority(priority) && actText.priority;
  return (
    <ActForm
      error={null}
      busy={false}
      confirm={bulkText.count}
      unavailable={missing === false ? undefined : missing}
      onSubmit={() => onChoose(isTransfer ? { kind, queue } : { kind, priority: Number(priority) })}
      onClose={onClose}
    >
      {isTransfer ? (
        <QueueField queue={queue} onQueue={setQueue} />
      ) : (
        <PriorityField priority={priority} onPriority={setPriority} />
      )}
    </ActForm>
  );
}
