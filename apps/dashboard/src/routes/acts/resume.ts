import { useResumeQueue } from '../../api/acts.js';
import { showToast } from '../../components/toasts.js';
import { visibleText } from '../../format/hostile-text.js';
import { actText } from './act-text.js';

/** Resuming asks nothing: it is the safe direction, and pausing again undoes it. */
export function useResumeNow(): (queue: string) => void {
  const resume = useResumeQueue();
  return (queue) =>
    resume.mutate(
      { queue },
      {
        onSuccess: ({ resumed }) =>
          showToast({
            tone: 'done',
            text: resumed ? actText.resumed(visibleText(queue)) : actText.wasNotPaused(visibleText(queue)),
          }),
        onError: (error) => showToast({ tone: 'failed', text: actText.notApplied, detail: visibleText(error.message) }),
      },
    );
}
