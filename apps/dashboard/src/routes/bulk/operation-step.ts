import { type OperationStep, useOperationStep } from '../../api/bulk.js';
import { showToast } from '../../components/toasts.js';
import { visibleText } from '../../format/hostile-text.js';
import { actText } from '../acts/act-text.js';

interface StepOf {
  readonly busy: boolean;
  /** Nothing while the former one is not answered: the second `u` of somebody in a hurry would be refused. */
  take(step: OperationStep): void;
}

/** Pauses, resumes or ends one operation. Where that fails, it goes on: so it is told, and told until somebody has read it. */
export function useStepOf(id: string): StepOf {
  const step = useOperationStep();
  return {
    busy: step.isPending,
    take: (next) =>
      !step.isPending &&
      step.mutate(
        { id, step: next },
        {
          onError: (error) =>
            showToast({ tone: 'failed', text: actText.notApplied, detail: visibleText(error.message) }),
        },
      ),
  };
}
