import { type OperationStep, useOperationStep } from '../../api/bulk.js';
import { tellFailure } from '../acts/answered-act.js';

interface StepOf {
  readonly busy: boolean;
  /** Nothing while the former one is not answered: the second `u` of somebody in a hurry would be refused. */
  take(step: OperationStep): void;
}

/** Pauses, resumes or ends one operation. Where that fails, it goes on: so it is told, also to who has left the page, until it is read. */
export function useStepOf(id: string): StepOf {
  const { isPending, mutateAsync } = useOperationStep();
  return {
    busy: isPending,
    take: (step) => {
      if (!isPending) void mutateAsync({ id, step }).catch(tellFailure);
    },
  };
}
