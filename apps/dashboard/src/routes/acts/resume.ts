import { useResumeQueue } from '../../api/acts.js';
import { showToast } from '../../components/toasts.js';
import { visibleText } from '../../format/hostile-text.js';
import { actText } from './act-text.js';
import { tellFailure } from './answered-act.js';

/**
 * Resuming asks nothing: it is the safe direction, and pausing again undoes it. Told wherever it was asked for: the palette and the dialog
 * are closed by then.
 */
export function useResumeNow(): (queue: string) => void {
  const resume = useResumeQueue();
  return (queue) =>
    void resume.mutateAsync({ queue }).then(({ resumed }) => {
      const text = resumed ? actText.resumed(visibleText(queue)) : actText.wasNotPaused(visibleText(queue));
      showToast({ tone: 'done', text });
    }, tellFailure);
}
